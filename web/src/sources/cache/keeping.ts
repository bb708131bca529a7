// A download that is cached while it arrives. It begins with the cached part of the file, if there is one of the same
// version. If caching fails, `note` says why and the download goes on.

import { isAbort, messageOf } from '../../base/errors.ts';
import { withoutStop } from '../../base/without-stop.ts';
import type { ByteSource, SourceOptions } from '../base/byte-source.ts';
import { wrongHash } from '../base/hashed.ts';
import { OnePass } from '../base/one-pass.ts';
import { Sha256 } from '../base/sha256.ts';
import { isLasting } from '../http/answer.ts';
import { MustRestart } from '../http/error.ts';
import { asItIs, Remote } from '../http/remote.ts';
import {
  type CacheEntry,
  type CacheStore,
  type CacheWriter,
  hasRightSize,
  type Release,
} from './store.ts';

export interface CachedOptions extends SourceOptions {
  readonly store: CacheStore;
  /** In lower case. */
  readonly sha256?: string | undefined;
  /** Whether the job reads the whole file. If not, nothing is added to the cache. */
  readonly whole: boolean;
  /** Whether downloads are added to the cache. The default is true. */
  readonly keeps?: boolean;
  /** Asks the server about a file at the hub, too. */
  readonly asks?: boolean;
}

const noVersion =
  'The server does not name the file’s version (ETag, Last-Modified); it is not kept.';

export function notKept(error: unknown): string {
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return `The file is not kept: ${isFull ? 'the storage is full' : withoutStop(messageOf(error))}.`;
}

/** The cached bytes are not those of the file. They are removed, and the job starts again without them. */
export function damaged(url: string, cause: unknown): MustRestart {
  const message = `The kept copy of ${url} is damaged: ${messageOf(cause)} Delete it from the cache.`;
  return new MustRestart('Mismatch', message, { cause });
}

/** The source of such a download. After the work it also reads the bytes that nobody requested, to complete the
 *  cache. */
class KeptPass extends OnePass {
  readonly #chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>;
  readonly #keeping: Keeping;

  constructor(
    chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
    size: number | undefined,
    keeping: Keeping,
  ) {
    super(chunks, size, 'download', keeping.options);
    this.#chunks = chunks;
    this.#keeping = keeping;
  }

  get cached(): boolean {
    return this.#keeping.cached;
  }

  get note(): string | undefined {
    return this.#keeping.note;
  }

  async settle(): Promise<void> {
    while (!(await this.#chunks.next()).done) {}
  }

  override async close(): Promise<void> {
    try {
      await super.close();
    } finally {
      await this.#keeping.end();
    }
  }
}

/** A download that is cached while it arrives. */
export class Keeping {
  readonly #url: string;
  readonly #key: string;
  readonly options: CachedOptions;
  readonly #remote: Remote;
  readonly #release: Release;
  #writer: CacheWriter | undefined;
  #response: Response | undefined;
  /** Whether the job has cached bytes that may be damaged. */
  #isDoubtful = false;
  note: string | undefined;
  /** Whether the last bytes came from the cache. */
  cached = false;

  constructor(url: string, key: string, options: CachedOptions, release: Release) {
    this.#url = url;
    this.#key = key;
    this.options = options;
    this.#release = release;
    this.#remote = new Remote(url, options.signal, options.retryPolicy, options.hub);
  }

  async open(): Promise<ByteSource> {
    const part = await this.#part();
    const response = part ? await this.#continue(part) : undefined;
    const begun = response ? part : undefined;
    const first = response ?? (await this.#begin());
    this.#response = first;
    return new KeptPass(this.#chunks(begun, first), this.#remote.size, this);
  }

  /** The cached part of a file that can be continued. */
  async #part(): Promise<CacheEntry | undefined> {
    const { store, hub, sha256 } = this.options;
    const entry = await store.find(this.#key);
    const { facts, bytes = 0 } = entry ?? {};
    const { version } = facts ?? {};
    const isProven = version && (isLasting(version) || hub !== undefined || sha256 !== undefined);
    const isPart = facts?.url === this.#url && !facts.complete && isProven && bytes > 0;
    if (entry && isPart && hasRightSize(entry)) {
      return entry;
    }
    await store.remove(this.#key);
    return undefined;
  }

  async #continue({ facts, bytes }: CacheEntry): Promise<Response | undefined> {
    this.#remote.size = facts.size;
    this.#remote.version = facts.version;
    try {
      const response = await this.#remote.resume(bytes);
      await this.#keep(async () => {
        this.#writer = await this.options.store.write(this.#key, bytes);
      });
      return response;
    } catch (error) {
      if (!(error instanceof MustRestart)) {
        throw error;
      }
      await this.options.store.remove(this.#key);
      return undefined;
    }
  }

  async #begin(): Promise<Response> {
    const response = await this.#remote.ask(asItIs);
    if (response.status !== 200) {
      throw this.#remote.badStatus(response);
    }
    this.#remote.setFacts(response);
    const { version, size } = this.#remote;
    const { hub, sha256 } = this.options;
    if (version === undefined && sha256 === undefined && !hub) {
      this.note = noVersion;
      return response;
    }
    await this.#keep(async () => {
      this.#writer = await this.options.store.write(this.#key, 0);
      const storedAt = Date.now();
      await this.#writer.describe({ url: this.#url, size, version, complete: false, storedAt });
    });
    return response;
  }

  async *#chunks(
    part: CacheEntry | undefined,
    first: Response,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const { hub, sha256 = hub?.sha256 } = this.options;
    const hash = sha256 === undefined ? undefined : new Sha256();
    const begin = part?.bytes ?? 0;
    let size = begin;
    if (part) {
      for await (const chunk of this.#kept(part)) {
        hash?.update(chunk);
        yield chunk;
      }
    }
    for await (const chunk of this.#rest(begin, first)) {
      hash?.update(chunk);
      size += chunk.byteLength;
      await this.#keep((writer) => writer?.append(chunk));
      yield chunk;
    }
    const found = hash?.hex();
    if (found !== sha256) {
      await this.#giveUp();
      const wrong = wrongHash(found ?? '', sha256 ?? '');
      throw part ? damaged(this.#url, wrong) : wrong;
    }
    this.#isDoubtful = false;
    const { version } = this.#remote;
    const storedAt = Date.now();
    await this.#keep((writer) =>
      writer?.describe({ url: this.#url, size, version, sha256, complete: true, storedAt }),
    );
  }

  /** The cached bytes. */
  async *#kept(part: CacheEntry): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    this.cached = true;
    this.#isDoubtful = true;
    try {
      const file = await part.open(this.options.signal);
      try {
        yield* file.stream(0, part.bytes) as AsyncIterable<Uint8Array<ArrayBuffer>>;
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isAbort(error)) {
        throw error;
      }
      await this.#giveUp();
      throw damaged(this.#url, error);
    }
    this.cached = false;
  }

  /** The bytes that the server sends. */
  async *#rest(begin: number, first: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    try {
      yield* this.#remote.body(begin, this.#remote.size, first, begin > 0);
    } catch (error) {
      // The network is at fault, so the download can continue later.
      this.#isDoubtful = false;
      throw error;
    }
  }

  /** Runs an operation of the cache. If it fails, the file is not cached and the job goes on. */
  async #keep(work: (writer: CacheWriter | undefined) => Promise<void> | undefined): Promise<void> {
    try {
      await work(this.#writer);
    } catch (error) {
      this.note = notKept(error);
      await this.#giveUp();
    }
  }

  async #giveUp(): Promise<void> {
    await this.#writer?.close().catch(() => {});
    this.#writer = undefined;
    await this.options.store.remove(this.#key).catch(() => {});
  }

  async end(): Promise<void> {
    await this.#writer?.close().catch(() => {});
    this.#writer = undefined;
    // Nobody may have read it yet.
    await this.#response?.body?.cancel().catch(() => {});
    const { signal, store } = this.options;
    // The job failed in the middle, perhaps because of the cached bytes.
    if (this.#isDoubtful && !signal.aborted) {
      await store.remove(this.#key).catch(() => {});
    }
    await this.#release();
  }
}
