// The names of variants, drawings and classes that the page shows.

import type { Variant } from '../state/state.ts';

const variantNames: Readonly<Record<Variant['kind'], string>> = {
  vanilla: 'Floats',
  dq8: 'DQ8',
  sq8: 'SQ8',
};

export const variantName = (kind: Variant['kind']): string => variantNames[kind];

export const ownDrawing = 'Your drawing';
export const exampleOf = (digit: number): string => `Example of a ${digit}`;

/** The names of classes in a file: one on each line. */
export const linesOf = (text: string): string[] => text.trimEnd().split(/\r?\n/);
