// The sampling and memory settings of the page, and the options of the package that they become.

import type { AnswerFormat, GenerateOptions, KeyValueType, OpenOptions } from 'ambry';
import { generateDefaults } from 'ambry/tables';

export interface Sampling {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly repetitionPenalty: number;
  readonly maxTokens: number;
  readonly seed: number;
  /** Take a new random seed for each text. */
  readonly newSeed: boolean;
  readonly stop: readonly string[];
}

export const defaultSampling: Sampling = {
  ...generateDefaults,
  maxTokens: 200,
  seed: 1,
  newSeed: true,
  stop: [],
};

/** The number of likeliest tokens that the model reports with each token. */
const alternatives = 6;

export function optionsOf(
  { newSeed: _, ...sampling }: Sampling,
  format?: AnswerFormat,
): GenerateOptions {
  return { ...sampling, logprobs: alternatives, ...(format !== undefined && { format }) };
}

/** One stop text per line. Spaces count. `\n` stands for a line break. */
export function stopsOf(lines: string): string[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('\\n', '\n'));
}

/** Short, so that people can note it. */
export const randomSeed = (): number => Math.floor(Math.random() * 1_000_000);

export interface MemoryChoice {
  /** The bytes of weights in memory. Other layers are read again for each token. Null: all weights. */
  readonly resident: number | null;
  readonly kv: KeyValueType;
}

export const wholeModel: MemoryChoice = { resident: null, kv: 'f32' };

/** A tab on a small machine can hold this many bytes. */
export const maxWholeBytes = 1.5e9;
const residentOfLarge = 5e8;

/** Limits the memory for a large file, unless the user already set a limit. */
export function memoryFor(choice: MemoryChoice, bytes: number): MemoryChoice {
  return choice.resident === null && bytes > maxWholeBytes
    ? { ...choice, resident: residentOfLarge }
    : choice;
}

export function openOptionsOf({ resident, kv }: MemoryChoice) {
  return {
    kind: 'generator',
    kv,
    ...(resident !== null && { resident }),
  } as const satisfies OpenOptions;
}
