// A file of which parts are read when somebody wants them, each time under a signal of its own. Nothing is
// open in between.
import { AmbryError } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';
import { KeptHead } from './cache/kept-head.ts';
import type { StoreFor } from './cache/open-cached.ts';
import type { CacheStore } from './cache/store.ts';
import { badStatus } from './http/error.ts';
import { headBytes } from './http/range.ts';
import { isEncoded, parseContentRange, Remote } from './http/remote.ts';
import type { OpenSource } from './open-source.ts';
import { joined } from './stream.ts';
import type { WireSource } from './wire.ts';

export interface RangedFile {
  /** The file as a source that lives as long as the signal; closing it is not needed. */
  source(signal: AbortSignal): ByteSource;
  /** Keeps what was read of the head until now for the next time, where the caller wants that. */
  keepHead(): Promise<void>;
}

/** How a file is opened whole, and where downloads are kept. */
export interface RangedSources {
  readonly open: OpenSource;
  readonly storeFor?: StoreFor | undefined;
}

/** Of a kept head; vocabularies are smaller. */
const mostKept = 256 << 20;

/** Refuses what cannot be read so, by name. */
export async function openRanged(
  wire: WireSource,
  { signal, open, storeFor }: RangedSources & { readonly signal: AbortSignal },
): Promise<RangedFile> {
  if (wire.sha256 !== undefined) {
    throw cannot('The SHA-256 of a file is known when all of it is read; open it whole.');
  }
  if (wire.kind === 'url' && /^https?:/i.test(wire.url)) {
    const store = wire.cache && (await storeFor?.(wire.cache));
    return openRemote(wire.url, signal, store || undefined);
  }
  if (wire.kind === 'stream') {
    throw cannot('A stream comes once and in order, so its parts cannot be read when wanted.');
  }
  return openLocal(wire, signal, open);
}

function cannot(message: string): AmbryError {
  return new AmbryError('Unsupported', message, { path: 'options.mode' });
}

async function openRemote(
  url: string,
  signal: AbortSignal,
  store: CacheStore | undefined,
): Promise<RangedFile> {
  const remote = new Remote(url, signal);
  const response = await remote.ask({ range: `bytes=0-${headBytes - 1}` });
  remote.learn(response);
  const { size, version } = remote;
  const begin = parseContentRange(response.headers.get('content-range'))?.first;
  const isPart = response.status === 206 && begin === 0 && size !== undefined;
  if (!isPart || isEncoded(response)) {
    await response.body?.cancel();
    if (!response.ok) throw badStatus(response, url);
    throw cannot(`The server does not answer ranges, which mode 'range' takes: ${url}`);
  }
  const firstEnd = Math.min(size, headBytes);
  const first = await joined(firstEnd, remote.body(0, firstEnd, response));
  const kept = store && (await KeptHead.find(store, remote, mostKept));
  const head = kept && kept.held.byteLength > first.byteLength ? kept.held : first;
  const headEnd = head.byteLength;
  kept?.add(0, first);

  return {
    keepHead: async () => kept?.keep(),
    source: (own) => {
      async function* stream(begin: number, end: number): AsyncGenerator<Uint8Array> {
        if (begin < headEnd) yield head.subarray(begin, Math.min(end, headEnd));
        if (end <= headEnd) return;
        // The answer says whether it is still the same file.
        const part = Object.assign(new Remote(url, own), { size, version });
        yield* part.body(Math.max(begin, headEnd), end);
      }
      return {
        size,
        phase: 'download',
        seekable: true,
        stream,
        read: async (offset, length) => {
          const bytes = await joined(length, stream(offset, offset + length));
          kept?.add(offset, bytes);
          return bytes;
        },
        measure: async () => size,
        close: async () => {},
      };
    },
  };
}

/** A file of this machine, opened anew for every part. */
async function openLocal(
  wire: WireSource,
  signal: AbortSignal,
  open: OpenSource,
): Promise<RangedFile> {
  const withFile = async <T>(own: AbortSignal, use: (file: ByteSource) => Promise<T>) => {
    const file = await open(wire, { signal: own, whole: false });
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  };
  const size = await withFile(signal, (file) => file.measure());
  return {
    keepHead: () => Promise.resolve(),
    source: (own) => ({
      size,
      phase: 'load',
      seekable: true,
      read: (offset, length) => withFile(own, (file) => file.read(offset, length)),
      stream: async function* (begin, end) {
        const file = await open(wire, { signal: own, whole: false });
        try {
          yield* file.stream(begin, end);
        } finally {
          await file.close();
        }
      },
      measure: async () => size,
      close: async () => {},
    }),
  };
}
