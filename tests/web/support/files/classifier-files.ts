// Text classifiers that fastText's own program trained, and what it answered.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../../fixtures/fasttext/classifiers/', import.meta.url);

export const classifierPath = (name: string): string => fileURLToPath(new URL(name, folder));

export const classifierFile = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(name, folder)));

const json = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

export const classifierTexts = json('texts.json') as readonly string[];

export interface Answers {
  /** -1: all labels. */
  readonly k: number;
  readonly threshold: number;
  /** The predictions of each text. */
  readonly predictions: readonly (readonly (readonly [label: string, probability: number])[])[];
}

export const answersOf = (name: string): readonly Answers[] =>
  json(`${name}.json`) as readonly Answers[];
