import { AmbryError } from '../base/errors.ts';

/** The texts. Rejects what is no string with `BadValue`. */
export function checkTexts(texts: readonly unknown[]): readonly string[] {
  // Unlike forEach, this does not leave out the holes of a list.
  for (const [i, text] of texts.entries()) {
    if (typeof text === 'string') {
      continue;
    }
    throw new AmbryError('BadValue', `A text must be a string, not ${typeof text}.`, {
      path: `texts[${i}]`,
    });
  }
  return texts as readonly string[];
}
