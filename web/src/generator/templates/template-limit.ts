// What both sides of a rendering know of its limits.
import { AmbryError } from '../../base/errors.ts';

/** How long a template may run. */
export const renderMs = 2000;

export const timeLimit = `of ${renderMs / 1000} seconds`;

/** `limit` says which one, after “exceeds the limit”. */
export function limitExceeded(limit: string, cause?: unknown): AmbryError {
  const message = `The template for conversations exceeds the limit ${limit}. Give another template, or write the prompt as a text.`;
  return new AmbryError('LimitExceeded', message, { path: 'chatTemplate', cause });
}
