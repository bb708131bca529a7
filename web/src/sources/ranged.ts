// A file whose parts are read on demand, each with its own signal. Nothing stays open between two reads.
import { AmbryError } from '../base/errors.ts';
import type { ByteSource } from './base/byte-source.ts';
import { joinedSource, named } from './base/joined.ts';
import { RetryPolicy } from './base/retry-policy.ts';
import { joined } from './base/stream.ts';
import type { NamedSource, WireSource } from './base/wire.ts';
import { KeptHead } from './cache/kept-head.ts';
import { type CacheStore, hasRightSize, keyOf } from './cache/store.ts';
import { headBytes, isRanged } from './http/range.ts';
import { Remote } from './http/remote.ts';
import { isHttpUrl } from './http/url.ts';
import { keepsIn, type StoreFor } from './open-cached.ts';
import type { OpenSource } from './open-source.ts';

export interface RangedFile {
  /** The file as a source that lives as long as the signal. It need not be closed. */
  source(signal: AbortSignal): ByteSource;
  /** Stores the bytes of the head that were read, if the caller asked for a cache. */
  keepHead(): Promise<void>;
}

/** How to open the whole file, and where downloads are cached. */
export interface RangedSources {
  readonly open: OpenSource;
  readonly storeFor?: StoreFor | undefined;
}

/** The limit of a kept head. Vocabularies are smaller. */
const mostKept = 256 << 20;

/** Throws for a source that cannot be read by range. */
export async function openRanged(
  wire: WireSource,
  { signal, open, storeFor }: RangedSources & { readonly signal: AbortSignal },
): Promise<RangedFile> {
  if (wire.sha256 !== undefined) {
    throw unsupported('The SHA-256 of a file is known when all of it is read; open it whole.');
  }
  if (wire.kind === 'parts') {
    return openRangedParts(wire.parts, { signal, open, storeFor });
  }
  if (wire.kind === 'url' && isHttpUrl(wire.url)) {
    const store = wire.cache && (await storeFor?.(wire.cache));
    // The URL of a file at the hub names its version, so the server need not be asked for a file that is in the cache.
    if (wire.hub && store && (await isKept(store, wire.url))) {
      return openLocal(wire, signal, open);
    }
    const remoteFor = (own: AbortSignal) =>
      new Remote(wire.url, own, new RetryPolicy({ stallMs: wire.stallTimeout }), wire.hub);
    return openRemote(remoteFor, signal, store || undefined, keepsIn(wire.cache));
  }
  if (wire.kind === 'stream') {
    throw unsupported('A stream comes once and in order, so its parts cannot be read when wanted.');
  }
  return openLocal(wire, signal, open);
}

async function isKept(store: CacheStore, url: string): Promise<boolean> {
  const entry = await store.find(await keyOf(url));
  return entry?.facts.complete === true && hasRightSize(entry);
}

async function openRangedParts(
  parts: readonly NamedSource[],
  context: RangedSources & { readonly signal: AbortSignal },
): Promise<RangedFile> {
  const files: RangedFile[] = [];
  for (const { name, source } of parts) {
    files.push(await openRanged(source, context).catch(named(name)));
  }
  return {
    source: (signal) => joinedSource(files.map((file) => file.source(signal))),
    keepHead: async () => {
      for (const file of files) {
        await file.keepHead();
      }
    },
  };
}

function unsupported(message: string): AmbryError {
  return new AmbryError('Unsupported', message, { path: 'options.mode' });
}

async function openRemote(
  remoteFor: (own: AbortSignal) => Remote,
  signal: AbortSignal,
  store: CacheStore | undefined,
  keeps: boolean,
): Promise<RangedFile> {
  const remote = remoteFor(signal);
  const { first, size } = await readHead(remote);
  const { version } = remote;
  const kept = store && (await KeptHead.find(store, remote, mostKept));
  const head = kept && kept.held.byteLength > first.byteLength ? kept.held : first;
  kept?.add(0, first);
  return {
    keepHead: async () => (keeps ? kept?.keep() : undefined),
    source: (own) => {
      // The response says whether it is still the same file.
      const newRequest = () => Object.assign(remoteFor(own), { size, version });
      return partsSource(size, head, newRequest, kept);
    },
  };
}

async function readHead(remote: Remote): Promise<{ first: Uint8Array; size: number }> {
  const response = await remote.ask({ range: `bytes=0-${headBytes - 1}` });
  remote.setFacts(response);
  if (!isRanged(remote, response) || remote.version === undefined) {
    await response.body?.cancel();
    if (!response.ok) {
      throw remote.badStatus(response);
    }
    // Without a version, parts of an old and a new file would be read as one.
    throw unsupported(
      `The server must answer ranges, with Content-Range and a version (ETag, Last-Modified): ${remote.url}. Or open the file whole.`,
    );
  }
  const { size } = remote;
  const firstEnd = Math.min(size, headBytes);
  return { first: await joined(firstEnd, remote.body(0, firstEnd, response)), size };
}

/** A file whose first bytes are there; the others are requested. */
function partsSource(
  size: number,
  head: Uint8Array,
  newRequest: () => Remote,
  kept: KeptHead | undefined,
): ByteSource {
  const headEnd = head.byteLength;
  async function* stream(begin: number, end: number): AsyncGenerator<Uint8Array> {
    if (begin < headEnd) {
      yield head.subarray(begin, Math.min(end, headEnd));
    }
    if (end > headEnd) {
      yield* newRequest().body(Math.max(begin, headEnd), end);
    }
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
}

/** A local file, which is opened again for every part. */
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
