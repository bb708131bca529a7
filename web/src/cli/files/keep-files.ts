// Downloads files to the cache, for `pull`. A download that was broken off is continued.
import { AmbryError } from '../../base/errors.ts';
import type { ByteSource } from '../../sources/base/byte-source.ts';
import type { HubAccess } from '../../sources/base/wire.ts';
import { DirectoryStore } from '../../sources/cache/node-directory.ts';
import { keyOf } from '../../sources/cache/store.ts';
import { cachingOpener } from '../../sources/open-cached.ts';
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

/** Keeps the files one after another. Files that are in the cache already are checked, and not downloaded. */
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
  for (const wanted of files) {
    const say = (loaded: number, cached: boolean, own = 0) =>
      terminal.onProgress({
        phase: 'download',
        loaded: before + loaded,
        total: files.length === 1 ? own || total : total,
        cached,
      });
    const file = await keepFile(wanted, store, directory, fetching, terminal, say);
    before += file.bytes;
    kept.push(file);
  }
  terminal.clearBar();
  return kept;
}

async function keepFile(
  { file, url, hub }: Wanted,
  store: DirectoryStore,
  directory: string,
  { stallTimeout }: Fetching,
  { signal }: Terminal,
  say: (loaded: number, cached: boolean, size?: number) => void,
): Promise<Kept> {
  const { href } = url;
  const open = cachingOpener(() => Promise.resolve(store));
  // With its hash, a file in the cache is checked before it is taken.
  const wire = { kind: 'url', url: href, cache: { directory }, sha256: hub?.sha256, hub } as const;
  let opened: ByteSource | undefined;
  await useSource(
    open,
    { ...wire, stallTimeout },
    { signal, report: ({ loaded }) => say(loaded, false) },
    async (source) => {
      opened = source;
      const { size, cached = false } = source;
      // What is not streamed here is read when the job settles.
      if (size === undefined || cached) {
        return;
      }
      let loaded = 0;
      for await (const chunk of source.stream(0, size)) {
        loaded += chunk.byteLength;
        say(loaded, source.cached ?? false, size);
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
