// The form of an answer on its way to the core.
import { plainJson } from '../base/plain-json.ts';
import type { AnswerFormat } from './base/types.ts';

/** A copy as plain data. The core checks it. Not every object can be sent to a worker as it is: a proxy, as some
 *  frameworks use it for state, cannot. */
export function plainFormat(format: AnswerFormat): AnswerFormat {
  return JSON.parse(plainJson(format, 'options.format')) as AnswerFormat;
}

/** The value of a whole answer that keeps to a schema. */
export function parsedAnswer(
  format: AnswerFormat | undefined,
  text: string,
  isComplete: boolean,
): { readonly parsed?: unknown } {
  const isJson = format !== undefined && 'schema' in format;
  return isJson && isComplete ? { parsed: JSON.parse(text) } : {};
}
