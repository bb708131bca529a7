// What every reader takes and returns.

import type { Yielder } from '../../base/yielder.ts';
import type { ReaderId } from '../base/file-types.ts';
import type { Section } from './section.ts';

export interface DocumentContents {
  /** Some at a time, in the order of the document. They are made while they are taken, so that a long document is never
   *  in memory as blocks. */
  readonly sections: Iterable<readonly Section[]>;
  /** Null for a PDF. */
  readonly encoding: string | null;
  /** Called after the last section. */
  readonly warnings: () => readonly string[];
}

export interface WorkSteps {
  readonly yielder: Yielder;
  /** Called before each step of long work, such as `page 7`. */
  readonly onStep: (step: string) => void;
}

export interface Input {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly steps: WorkSteps;
}

export type Reader = (input: Input) => Promise<DocumentContents>;
/** Gives the code of a reader. A worker has some of them only. */
export type FindReader = (id: ReaderId) => Reader | undefined | Promise<Reader | undefined>;
