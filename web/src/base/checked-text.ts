// The argument of functions of `ambry/terms`.
import { AmbryError } from './errors.ts';

/** Throws `BadValue` for what is no text. */
export function checkedText(text: unknown): string {
  if (typeof text === 'string') {
    return text;
  }
  throw new AmbryError('BadValue', `Must be a text, not ${typeof text}.`, { path: 'text' });
}
