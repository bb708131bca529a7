// Downloads files to the cache, for `pull`. A download that was broken off is continued.
import { AmbryError } from '../../base/errors.ts';
import type { Progress } from '../../entries/types.ts';
import type { ByteSource } from '../../sources/base/byte-source.ts';
import type { HubAccess } from '../../sources/base/wire.ts';
import { openCached } from '../../sources/cache/cached.ts';
import { DirectoryStore } from '../../sources/cache/node-directory.ts';
import { keyOf } from '../../sources/cache/store.ts';
import type { OpenSource } from '../../sources/open-source.ts';
import { useSource } from '../../sources/use-source.ts';
import type { Fetching } from '../shared/common-options.ts';
import type { Terminal } from '../shared/terminal.ts';

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
  const store = new DirectoryStore(directory);
  const total = files.reduce((sum, { size = Number.NaN }) => sum + size, 0) || 0;
  const kept: Kept[] = [];
  let before = 0;
  let hasWaited = false;
  const onWait = (file: string) => {
    if (!hasWaited) {
      terminal.note(`Another process has ${file}. Waiting for it.`);
    }
    hasWaited = true;
  };
  for (const wanted of files) {
    const say: Say = ({ loaded, cached, note }, own = 0) =>
      terminal.onProgress({
        phase: 'download',
        loaded: before + loaded,
        total: files.length === 1 ? own || total : total,
        cached,
        note,
      });
    const file = await keepFile(wanted, store, fetching, terminal, say, onWait);
    before += file.bytes;
    kept.push(file);
  }
  terminal.clearBar();
  return kept;
}

type Say = (progress: Pick<Progress, 'loaded' | 'cached' | 'note'>, size?: number) => void;

async function keepFile(
  { file, url, hub }: Wanted,
  store: DirectoryStore,
  { stallTimeout }: Fetching,
  { signal }: Terminal,
  say: Say,
  onWait: (file: string) => void,
): Promise<Kept> {
  const { href } = url;
  // With its hash, a file in the cache is checked before it is taken.
  const sha256 = hub?.sha256;
  const keeping = { store, sha256, hub, verify: true, onWait: () => onWait(file || 'the file') };
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
  const key = await keyOf(href);
  const entry = await store.find(key);
  if (entry?.facts.complete) {
    return { file, url: href, bytes: entry.bytes, path: store.pathOf(key) };
  }
  const why = opened?.note ?? 'The file is not kept.';
  throw new AmbryError('Unsupported', `${href}: ${why}`, { path: 'cache' });
}
