// What one rendering of a chat template may take. Templates come from files that nobody has checked. The limits are far
// above what templates for conversations need, and low enough that a page stays well.
import { AmbryError } from '../../../base/errors.ts';

/** How long a template may run. */
export const renderMs = 2000;

export const timeLimit = `of ${renderMs / 1000} seconds`;

export const templateLimits = {
  /** Characters of the template. */
  template: 2 ** 18,
  /** Statements and expressions that run, and their work on long texts and lists. */
  steps: 4_000_000,
  /** Items of all lists that are made, and of all lists that are gone through. */
  items: 2_000_000,
  /** Characters of one text, so of the prompt too. */
  text: 2 ** 22,
  /** Characters of all texts that are made. */
  characters: 2 ** 26,
  /** Bits of one whole number. */
  bits: 2 ** 14,
  /** Levels of lists and objects in each other, and of expressions, statements and calls. */
  levels: 500,
} as const;

/** `limit` says which one, after “exceeds the limit”. */
export function limitExceeded(limit: string, cause?: unknown): AmbryError {
  const message = `The template for conversations exceeds the limit ${limit}. Give another template, or write the prompt as a text.`;
  return new AmbryError('LimitExceeded', message, { path: 'chatTemplate', cause });
}

export function levelsExceeded(): AmbryError {
  return limitExceeded(`of ${templateLimits.levels} levels of statements, lists and calls`);
}
