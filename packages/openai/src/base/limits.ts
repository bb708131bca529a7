// What a request may ask for at most.
import { ApiError } from './api-error.ts';

export interface Limits {
  /** Texts to embed or prompts to complete. */
  readonly maxInputs: number;
  /** Answers to one prompt (`n`). */
  readonly maxAnswers: number;
  /** Tokens of an answer; as many as the context has room for when absent. */
  readonly maxTokens?: number | undefined;
}

/** Throws an `ApiError` for a list that is too long. */
export function checkCount(param: string, count: number, most: number): void {
  if (count <= most) {
    return;
  }
  const message = `${count} items were given, and at most ${most} are taken.`;
  throw new ApiError(400, message, { param, code: 'too_many_items' });
}
