// How the next token is drawn, and how much memory a model may take: what the fields of the page say, as options.

import type { GenerateOptions, OpenOptions } from 'ambry';

export interface Sampling {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly repetitionPenalty: number;
  readonly maxTokens: number;
  readonly seed: number;
  /** Another seed for every text. */
  readonly newSeed: boolean;
  readonly stop: readonly string[];
}

export const defaultSampling: Sampling = {
  temperature: 0.8,
  topK: 0,
  topP: 0.9,
  minP: 0,
  repetitionPenalty: 1,
  maxTokens: 200,
  seed: 1,
  newSeed: true,
  stop: [],
};

/** Likeliest tokens that are told with each token. */
const kAlternatives = 6;

export function optionsOf({ newSeed: _, ...sampling }: Sampling): GenerateOptions {
  return { ...sampling, logprobs: kAlternatives };
}

/** One a line. Spaces count, as they do in text; `\n` stands for the end of a line. */
export function stopsOf(lines: string): string[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('\\n', '\n'));
}

/** Seeds that people can read out. */
export const someSeed = (): number => Math.floor(Math.random() * 1_000_000);

export interface MemoryChoice {
  /** Bytes of weights that are held; the other layers are read anew for every token. Null: all of them. */
  readonly resident: number | null;
  readonly kv: 'f32' | 'f16';
}

export const wholeModel: MemoryChoice = { resident: null, kv: 'f32' };

/** What a tab of a small machine can be expected to hold. */
export const largestWhole = 1.5e9;
const kResidentOfLarge = 5e8;

/** The choice for a file of so many bytes, where it is too large for the one that was made. */
export function memoryFor(choice: MemoryChoice, bytes: number): MemoryChoice {
  return choice.resident === null && bytes > largestWhole
    ? { ...choice, resident: kResidentOfLarge }
    : choice;
}

export function openOptionsOf({ resident, kv }: MemoryChoice) {
  return {
    kind: 'generator',
    kv,
    ...(resident !== null && { resident }),
  } as const satisfies OpenOptions;
}
