// A source with an expected SHA-256. Streaming the file computes the hash. If the caller does not stream it and the check is
// required, the file is read once more before the work succeeds.
import { AmbryError } from '../../base/errors.ts';
import type { ByteSource } from './byte-source.ts';
import { Sha256 } from './sha256.ts';
import type { HubAccess } from './wire.ts';

export function wrongHash(found: string, wanted: string): AmbryError {
  const message = `The file is not the one that was asked for: its SHA-256 is ${found}, wanted is ${wanted}.`;
  return new AmbryError('Mismatch', message, { path: 'sha256' });
}

/** Returns the digits in lower case. Throws unless `wanted` has 64 hexadecimal digits. */
export function hashOption(wanted: string): string {
  if (/^[0-9a-f]{64}$/i.test(wanted)) {
    return wanted.toLowerCase();
  }
  throw new AmbryError('BadValue', 'A SHA-256 has 64 hexadecimal digits.', { path: 'sha256' });
}

interface ExpectedHash {
  /** Wanted by the caller. The whole file is read to check it. */
  readonly sha256?: string | undefined;
  /** The hash by the hub's list is checked only by a job that reads most of the file anyway. */
  readonly hub?: HubAccess | undefined;
  readonly whole: boolean;
}

/** The source, checked if its SHA-256 is known, and with the note if there is one. */
export function checkedSource(
  source: ByteSource,
  { sha256, hub, whole }: ExpectedHash,
  note: string | undefined,
): ByteSource {
  const known = sha256 ?? (whole ? hub?.sha256 : undefined);
  const isRequired = sha256 !== undefined;
  const checked = known === undefined ? source : new HashedSource(source, known, isRequired);
  return note === undefined ? checked : Object.defineProperty(checked, 'note', { value: note });
}

export class HashedSource implements ByteSource {
  readonly #inner: ByteSource;
  readonly #wanted: string;
  #checked: boolean;

  constructor(inner: ByteSource, wanted: string, isRequired = true) {
    this.#inner = inner;
    this.#wanted = wanted;
    this.#checked = !isRequired;
  }

  get size(): number | undefined {
    return this.#inner.size;
  }
  get phase(): ByteSource['phase'] {
    return this.#inner.phase;
  }
  get seekable(): boolean {
    return this.#inner.seekable;
  }
  get cached(): boolean {
    return this.#inner.cached ?? false;
  }
  get note(): string | undefined {
    return this.#inner.note;
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    return this.#inner.read(offset, length);
  }

  async *stream(begin: number, end: number): AsyncGenerator<Uint8Array> {
    const last = this.size ?? end;
    // A part is not worth a download of the whole file. A model's tensors are most of it.
    if (this.#checked && end - begin < last / 2) {
      return yield* this.#inner.stream(begin, end);
    }
    const hash = new Sha256();
    let at = 0;
    for await (const chunk of this.#inner.stream(0, last)) {
      hash.update(chunk);
      const from = Math.max(begin - at, 0);
      const to = Math.min(end - at, chunk.byteLength);
      at += chunk.byteLength;
      if (from < to) {
        yield chunk.subarray(from, to);
      }
    }
    const found = hash.hex();
    if (found !== this.#wanted) {
      throw wrongHash(found, this.#wanted);
    }
    this.#checked = true;
  }

  measure(): Promise<number> {
    return this.#inner.measure();
  }

  async settle(): Promise<void> {
    if (!this.#checked) {
      const size = await this.measure();
      for await (const none of this.stream(size, size)) {
        none satisfies Uint8Array;
      }
    }
    await this.#inner.settle?.();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
