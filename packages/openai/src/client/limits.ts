import type { Limits } from '../base/limits.ts';

/** A program asks for as much as it likes. */
export const noLimits: Limits = {
  maxInputs: Number.POSITIVE_INFINITY,
  maxAnswers: Number.POSITIVE_INFINITY,
};
