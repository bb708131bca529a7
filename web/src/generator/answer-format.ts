// The form of an answer on its way to the core.
import { AmbryError } from '../base/errors.ts';
import type { AnswerFormat } from './base/types.ts';

/** A copy as plain data. The core checks it. Not every object can be sent to a worker as it is: a proxy, as some
 *  frameworks use it for state, cannot. */
export function plainFormat(format: AnswerFormat): AnswerFormat {
  try {
    return JSON.parse(JSON.stringify(format)) as AnswerFormat;
  } catch (cause) {
    const message = 'The format must be plain data that can be written as JSON.';
    throw new AmbryError('BadValue', message, { path: 'options.format', cause });
  }
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
