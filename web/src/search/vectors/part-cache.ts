// Parts of a file in memory, up to a number of bytes. Those that were not used for the longest time go first.
import { AmbryError } from '../../base/errors.ts';
import type { RangedFile } from '../../sources/ranged.ts';

export interface Part {
  readonly offset: number;
  readonly size: number;
  /** Throws for bytes that are not those that were written. */
  readonly check?: (bytes: Uint8Array) => void;
}

/** Requests at the same time. Browsers allow six per server. */
const requests = 6;

export class PartCache {
  readonly #file: RangedFile;
  readonly #most: number;
  readonly #parts = new Map<number, Uint8Array>();
  #bytes = 0;

  constructor(file: RangedFile, most: number) {
    this.#file = file;
    this.#most = most;
  }

  /** The bytes that are held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The bytes of the parts, in their order. What is missing is read; ranges between which at most `gap` bytes lie are read
   *  as one. */
  async read(parts: readonly Part[], gap: number, signal: AbortSignal): Promise<Uint8Array[]> {
    const found = new Map<number, Uint8Array>();
    const missing: Part[] = [];
    for (const part of parts) {
      const bytes = part.size === 0 ? new Uint8Array() : this.#use(part.offset);
      if (bytes) {
        found.set(part.offset, bytes);
      } else {
        missing.push(part);
      }
    }
    const runs = merged(missing, gap);
    const readNext = async () => {
      for (let run = runs.pop(); run; run = runs.pop()) {
        await this.#readRun(run, found, signal);
      }
    };
    await Promise.all(Array.from({ length: Math.min(requests, runs.length) }, readNext));
    signal.throwIfAborted();
    return parts.map(({ offset, size }) =>
      size === 0 ? new Uint8Array() : (found.get(offset) as Uint8Array),
    );
  }

  async #readRun(
    run: readonly Part[],
    found: Map<number, Uint8Array>,
    signal: AbortSignal,
  ): Promise<void> {
    const offset = (run[0] as Part).offset;
    const last = run.at(-1) as Part;
    const size = last.offset + last.size - offset;
    const bytes = await this.#file.source(signal).read(offset, size);
    if (bytes.byteLength < size) {
      const message = `${size} bytes wanted, ${bytes.byteLength} there: the file was cut off.`;
      throw new AmbryError('Truncated', message, { byteOffset: offset, path: 'file' });
    }
    for (const part of run) {
      // A copy, so that the bytes between the parts do not stay.
      const own = bytes.slice(part.offset - offset, part.offset - offset + part.size);
      part.check?.(own);
      found.set(part.offset, own);
      this.#keep(part.offset, own);
    }
  }

  #use(offset: number): Uint8Array | undefined {
    const bytes = this.#parts.get(offset);
    if (!bytes) {
      return undefined;
    }
    this.#parts.delete(offset);
    this.#parts.set(offset, bytes);
    return bytes;
  }

  #keep(offset: number, bytes: Uint8Array): void {
    if (bytes.byteLength > this.#most || this.#parts.has(offset)) {
      return;
    }
    this.#parts.set(offset, bytes);
    this.#bytes += bytes.byteLength;
    for (const [oldest, { byteLength }] of this.#parts) {
      if (this.#bytes <= this.#most) {
        break;
      }
      this.#parts.delete(oldest);
      this.#bytes -= byteLength;
    }
  }
}

function merged(parts: readonly Part[], gap: number): Part[][] {
  const runs: Part[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const part of [...parts].sort((a, b) => a.offset - b.offset)) {
    if (part.offset - end <= gap) {
      runs.at(-1)?.push(part);
    } else {
      runs.push([part]);
    }
    end = Math.max(end, part.offset + part.size);
  }
  return runs;
}
