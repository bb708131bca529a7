// The names of variants and drawings that the page shows.

import type { Variant } from '../state/state.ts';

const variantNames: Readonly<Record<Variant['kind'], string>> = {
  vanilla: 'Floats',
  dq8: 'DQ8',
  sq8: 'SQ8',
};

export const variantName = (kind: Variant['kind']): string => variantNames[kind];

export const ownDrawing = 'Your drawing';
export const exampleOf = (digit: number): string => `Example of a ${digit}`;
