// Downloads files to the cache, for `pull`. A download that was broken off is continued.
import { AmbryError } from '../../base/errors.ts';
import type { Progress } from '../../entries/types.ts';
import type { ByteSource } from '../../sources/base/byte-source.ts';
import type { HubAccess } from '../../sources/base/wire.ts';
import { openCached } from '../../sources/cache/cached.ts';
import { type CacheEntry, keyOf } from '../../sources/cache/store.ts';
import type { OpenSource } from '../../sources/open-source.ts';
import { useSource } from '../../sources/use-source.ts';
import type { Fetching } from '../shared/common-options.ts';
import type { Terminal } from '../shared/terminal.ts';
import { WaitingStore } from './waiting-store.ts';

export interface Wanted {
  /** How the file is called in its repository, or in its URL. */
  readonly file: string;
  readonly url: URL;
  /** In bytes, if it is known before the download. */
  readonly size?: number | undefined;
  readonly hub?: HubAccess;
}

export interface Kept {
  readonly file: string;
  readonly url: string;
  readonly bytes: number;
  /** Where the file lies in the cache. */
  readonly path: string;
}

/** Keeps the files one after another. Files that are in the cache already are checked, and not downloaded. While another
 *  process downloads a file, this one waits, and takes its file. */
export async function keepFiles(
  files: readonly Wanted[],
  directory: string,
  fetching: Fetching,
  terminal: Terminal,
): Promise<Kept[]> {
  let file = '';
  let hasWaited = false;
  const store = new WaitingStore(directory, terminal.signal, () => {
    if (!hasWaited) {
      terminal.note(`Another process has ${file || 'the file'}. Waiting for it.`);
    }
    hasWaited = true;
  });
  const total = files.reduce((sum, { size = Number.NaN }) => sum + size, 0) || 0;
  const kept: Kept[] = [];
  let before = 0;
  for (const wanted of files) {
    ({ file } = wanted);
    const say: Say = ({ loaded, cached, note }, own = 0) =>
      terminal.onProgress({
        phase: 'download',
        loaded: before + loaded,
        total: files.length === 1 ? own || total : total,
        cached,
        note,
      });
    const now = await keepFile(wanted, store, fetching, terminal, say);
    before += now.bytes;
    kept.push(now);
  }
  terminal.clearBar();
  return kept;
}

type Say = (progress: Pick<Progress, 'loaded' | 'cached' | 'note'>, size?: number) => void;

async function keepFile(
  wanted: Wanted,
  store: WaitingStore,
  { stallTimeout }: Fetching,
  terminal: Terminal,
  say: Say,
): Promise<Kept> {
  const { file, url, hub, size: listed } = wanted;
  const { href } = url;
  const { signal } = terminal;
  const key = await keyOf(href);
  const isRecorded = await removeDamaged(wanted, key, store, terminal);
  // With its hash, a file in the cache is checked before it is taken.
  const keeping = { store, sha256: hub?.sha256, hub, asks: !isRecorded };
  const open: OpenSource = (_, options) => openCached(href, { ...options, ...keeping });
  let opened: ByteSource | undefined;
  await useSource(
    open,
    { kind: 'url', url: href, stallTimeout },
    { signal, report: ({ loaded }) => say({ loaded, cached: false }) },
    async (source) => {
      opened = source;
      const { size, cached = false, note } = source;
      say({ loaded: 0, cached, note });
      // What is not streamed here is read when the job settles.
      if (size === undefined || cached) {
        return;
      }
      let loaded = 0;
      for await (const chunk of source.stream(0, size)) {
        loaded += chunk.byteLength;
        say({ loaded, cached: source.cached ?? false }, size);
      }
    },
    true,
  );
  const entry = await store.find(key);
  if (!entry?.facts.complete) {
    const why = opened?.note ?? 'The file is not kept.';
    throw new AmbryError('Unsupported', `${href}: ${why}`, { path: 'cache' });
  }
  if (entry.bytes !== (listed ?? entry.bytes)) {
    await store.remove(key);
    const message = `${file} has ${entry.bytes} bytes, and the list of its repository says ${listed}. Pull it again.`;
    throw new AmbryError('Mismatch', message, { path: file });
  }
  return { file, url: href, bytes: entry.bytes, path: store.pathOf(key) };
}

/** Removes a kept copy that was cut or changed, and says so. Returns whether the copy that stays was compared with the SHA-256
 *  that was recorded when it was stored. */
async function removeDamaged(
  { url, size, hub }: Wanted,
  key: string,
  store: WaitingStore,
  terminal: Terminal,
): Promise<boolean> {
  // A lock would make the directory.
  if (!(await store.find(key))) {
    return true;
  }
  const release = await store.lock(key, 'shared');
  try {
    const entry = await store.find(key);
    if (!entry?.facts.complete) {
      return true;
    }
    const fault = await faultOf(entry, size, hub?.sha256, terminal.signal);
    if (fault !== undefined) {
      terminal.note(
        `warning  The kept copy of ${url.href} is damaged: ${fault}. The file is downloaded again.`,
      );
      await store.remove(key);
    }
    return entry.isIntact !== undefined;
  } finally {
    await release?.();
  }
}

async function faultOf(
  { facts, bytes, isIntact }: CacheEntry,
  listed: number | undefined,
  sha256: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const size = listed ?? facts.size;
  if (bytes !== size) {
    return `it has ${bytes} bytes instead of ${size}`;
  }
  const isOther = sha256 !== undefined && facts.sha256 !== undefined && facts.sha256 !== sha256;
  return isOther || (isIntact && !(await isIntact(signal)))
    ? 'its bytes are not those that were stored'
    : undefined;
}
