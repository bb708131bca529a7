// Files that follow one another as one, such as the parts of a split model. Each is read where it lies.
import { AmbryError } from '../../base/errors.ts';
import type { ByteSource } from './byte-source.ts';
import { joined } from './stream.ts';
import type { NamedSource, WireSource } from './wire.ts';

interface Part {
  readonly source: ByteSource;
  readonly begin: number;
  readonly end: number;
}

/** Opens the files in their order. Each is looked at before the job reads anything large. */
export async function openJoined(
  files: readonly NamedSource[],
  open: (source: WireSource) => Promise<ByteSource>,
): Promise<ByteSource> {
  const sources: ByteSource[] = [];
  try {
    for (const file of files) {
      sources.push(await open(file.source).catch(named(file.name)));
    }
    for (const source of sources) {
      await source.measure();
    }
    return joinedSource(sources);
  } catch (error) {
    for (const source of sources) {
      await source.close();
    }
    throw error;
  }
}

/** Gives an error of a file its name. */
export function named(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof AmbryError) || error.path !== undefined) {
      throw error;
    }
    const { code, byteOffset, message } = error;
    const place = { byteOffset, path: name, cause: error };
    throw new AmbryError(code, `A part of the model, ${name}: ${message}`, place);
  };
}

/** The sizes must be known. Throws for a source that can be had only once: the heads of all parts are needed before the rest of the first one. */
export function joinedSource(sources: readonly ByteSource[]): ByteSource {
  if (sources.some(({ seekable }) => !seekable)) {
    const message =
      'The parts of a split model are read by range. Give files, or a server that answers ranges.';
    throw new AmbryError('Unsupported', message, { path: 'source' });
  }
  const parts: Part[] = [];
  let end = 0;
  for (const source of sources) {
    const begin = end;
    end += source.size ?? 0;
    parts.push({ source, begin, end });
  }
  return new Joined(parts);
}

class Joined implements ByteSource {
  readonly seekable = true;
  readonly size: number;
  readonly ends: readonly number[];
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
    this.ends = parts.map(({ end }) => end);
    this.size = this.ends.at(-1) ?? 0;
  }

  get phase(): ByteSource['phase'] {
    return this.#parts.some(({ source }) => source.phase === 'download') ? 'download' : 'load';
  }
  get cached(): boolean {
    return this.#parts.every(({ source }) => source.cached ?? false);
  }
  get note(): string | undefined {
    return this.#parts.map(({ source }) => source.note).find((note) => note !== undefined);
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (const [{ source, begin }, from, to] of this.#within(offset, offset + length)) {
      pieces.push(await source.read(from - begin, to - from));
    }
    const [only] = pieces;
    if (only && pieces.length === 1) {
      return only;
    }
    const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return joined(size, pieces);
  }

  async *stream(offset: number, until: number): AsyncGenerator<Uint8Array> {
    for (const [{ source, begin }, from, to] of this.#within(offset, until)) {
      yield* source.stream(from - begin, to - begin);
    }
  }

  /** The parts in a range, and where the range begins and ends in each. */
  #within(offset: number, until: number): [Part, number, number][] {
    return this.#parts
      .map((part): [Part, number, number] => [
        part,
        Math.max(offset, part.begin),
        Math.min(until, part.end),
      ])
      .filter(([, from, to]) => from < to);
  }

  measure(): Promise<number> {
    return Promise.resolve(this.size);
  }

  async settle(): Promise<void> {
    for (const { source } of this.#parts) {
      await source.settle?.();
    }
  }

  async close(): Promise<void> {
    for (const { source } of this.#parts) {
      await source.close();
    }
  }
}
