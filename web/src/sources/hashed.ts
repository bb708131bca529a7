// A source with an expected SHA-256. Streaming the whole file computes the hash. If the caller does not stream it,
// the file is read once more before the work succeeds.
import { AmbryError } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';
import { Sha256 } from './sha256.ts';

export function wrongHash(found: string, wanted: string): AmbryError {
  const message = `The file is not the one that was asked for: its SHA-256 is ${found}, wanted is ${wanted}.`;
  return new AmbryError('Mismatch', message, { path: 'sha256' });
}

/** Returns the digits in lower case. Throws unless `wanted` has 64 hexadecimal digits. */
export function hashOption(wanted: string): string {
  if (/^[0-9a-f]{64}$/i.test(wanted)) return wanted.toLowerCase();
  throw new AmbryError('BadValue', 'A SHA-256 has 64 hexadecimal digits.', { path: 'sha256' });
}

/** The source, checked if its SHA-256 is known, and with the note if there is one. */
export function checkedSource(
  source: ByteSource,
  sha256: string | undefined,
  note: string | undefined,
): ByteSource {
  const checked = sha256 === undefined ? source : new HashedSource(source, sha256);
  return note === undefined ? checked : Object.defineProperty(checked, 'note', { value: note });
}

export class HashedSource implements ByteSource {
  readonly #inner: ByteSource;
  readonly #wanted: string;
  #checked = false;

  constructor(inner: ByteSource, wanted: string) {
    this.#inner = inner;
    this.#wanted = wanted;
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
    const hash = new Sha256();
    let at = 0;
    for await (const chunk of this.#inner.stream(0, this.size ?? end)) {
      hash.update(chunk);
      const from = Math.max(begin - at, 0);
      const to = Math.min(end - at, chunk.byteLength);
      at += chunk.byteLength;
      if (from < to) yield chunk.subarray(from, to);
    }
    const found = hash.hex();
    if (found !== this.#wanted) throw wrongHash(found, this.#wanted);
    this.#checked = true;
  }

  measure(): Promise<number> {
    return this.#inner.measure();
  }

  async settle(): Promise<void> {
    if (!this.#checked) {
      const size = await this.measure();
      for await (const none of this.stream(size, size)) none satisfies Uint8Array;
    }
    await this.#inner.settle?.();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
