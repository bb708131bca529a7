import { AmbryError } from '../base/errors.ts';

/** The texts. Rejects what is no string with `BadValue`. */
export function checkTexts(texts: readonly unknown[]): readonly string[] {
  texts.forEach((text, i) => {
    if (typeof text === 'string') {
      return;
    }
    throw new AmbryError('BadValue', `A text must be a string, not ${typeof text}.`, {
      path: `texts[${i}]`,
    });
  });
  return texts as readonly string[];
}
