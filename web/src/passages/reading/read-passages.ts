// Reads a document on this thread, and cuts it into passages.
import { AmbryError } from '../../base/errors.ts';
import { Yielder } from '../../base/yielder.ts';
import { readerFor } from '../base/file-types.ts';
import type { DocumentOptions, DocumentRead } from '../base/types.ts';
import { tokenCounter } from '../packing/count-tokens.ts';
import { type PackedSection, PassagePacker, type Piece } from '../packing/pack-sections.ts';
import type { FindReader } from '../sections/contents.ts';
import type { Section } from '../sections/section.ts';
import { BatchMaker, type PassageBatch, type SharedParts } from './passage-batches.ts';

export interface ReadOptions extends Pick<DocumentOptions, 'count' | 'signal'> {
  readonly most: number;
  readonly onStep?: (step: string) => void;
}

/** Gives the passages some at a time, and returns the rest of the result. */
export async function* readPassages(
  path: string,
  bytes: Uint8Array,
  options: ReadOptions,
  readers: FindReader,
): AsyncGenerator<PassageBatch, Omit<DocumentRead, 'passages'>> {
  const { most, signal, onStep = () => {} } = options;
  const read = await readers(readerFor(path, bytes));
  if (!read) {
    throw new Error('This worker does not read such documents.');
  }
  const yielder = new Yielder(signal);
  const { sections, encoding, warnings } = await read({ path, bytes, steps: { yielder, onStep } });
  const packer = new PassagePacker(most, tokenCounter(options, yielder), yielder);
  const passages = new PassageMaker(path, bytes.length);
  for (const some of sections) {
    await yielder.yieldIfDue();
    yield* passages.of(await packer.pack(some));
  }
  yield* passages.of(await packer.finish());
  const found = warnings();
  const needsWarning = passages.number === 0 && found.length === 0;
  const emptyWarning = bytes.length === 0 ? 'The file is empty.' : 'The document has no text.';
  return { encoding, warnings: needsWarning ? [emptyWarning] : [...found] };
}

/** The headings and the names of fields may take so many code units, and four for each byte of the document. */
const freeUnits = 1 << 24;
const unitsOfByte = 4;

/** A document may have so many passages, and one for each few bytes. Each takes memory even if its text is short. */
const freePassages = 1 << 20;
const bytesOfPassage = 8;

const nothing: SharedParts = {};

class PassageMaker {
  /** Passages so far. */
  number = 0;
  readonly #path: string;
  readonly #most: number;
  readonly #mostPassages: number;
  readonly #batch = new BatchMaker();
  #repeated = 0;

  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#most = freeUnits + unitsOfByte * bytes;
    this.#mostPassages = freePassages + Math.ceil(bytes / bytesOfPassage);
  }

  *of(packed: readonly PackedSection[]): Generator<PassageBatch> {
    for (const { section, pieces } of packed) {
      this.#countRepeated(section, pieces);
      const shared = sharedBy(section);
      for (const { text, position } of pieces) {
        if (++this.number > this.#mostPassages) {
          throw this.#tooMany();
        }
        const id = section.record?.id ?? `${this.#path}#${this.number}`;
        this.#batch.add(id, text, position, shared);
        if (this.#batch.isFull) {
          yield this.#batch.take();
        }
      }
    }
    if (!this.#batch.isEmpty) {
      yield this.#batch.take();
    }
  }

  #countRepeated({ heading, record }: Section, pieces: readonly Piece[]): void {
    this.#repeated += heading.length;
    const names = record && pieces.length > 1 ? Object.keys(record.fields).length : 0;
    this.#repeated += names * pieces.length;
    if (this.#repeated > this.#most) {
      throw this.#tooMuch(pieces[0]?.position ?? 1, names > 0);
    }
  }

  #tooMany(): AmbryError {
    const message = `${this.#path} has more than ${this.#mostPassages} passages, and most have less than ${bytesOfPassage} bytes. Join records, or split the file.`;
    return new AmbryError('LimitExceeded', message);
  }

  #tooMuch(position: number, isRecord: boolean): AmbryError {
    const what = isRecord ? 'Fields of long records' : 'Headings';
    const advice = isRecord
      ? 'Remove fields, or shorten the text of the record.'
      : 'Use shorter headings, or fewer levels.';
    const message = `${what} in ${this.#path} would take more memory than the rest of it. ${advice}`;
    const path = `${isRecord ? 'record' : 'line'} ${position}`;
    return new AmbryError('LimitExceeded', message, { path });
  }
}

function sharedBy({ heading, record, isPaged }: Section): SharedParts {
  const fields = record && Object.keys(record.fields).length > 0 ? record.fields : undefined;
  if (heading === '' && !fields && !isPaged) {
    return nothing;
  }
  return {
    ...(fields && { fields }),
    ...(heading !== '' && { heading }),
    ...(isPaged && { isPaged }),
  };
}
