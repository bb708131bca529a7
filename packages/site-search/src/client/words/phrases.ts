// Phrases in quotation marks: words that must stand one after another.
import { havePhrases as textsHave } from 'ambry/terms';
import type { PartText } from '../../shared/part-text.ts';

/** Pages whose texts are read to find a phrase. */
export const pagesReadForPhrases = 40;

/** Whether the title, a heading or a passage of one of the parts has each phrase. */
export function havePhrases(
  parts: readonly { readonly text: PartText }[],
  phrases: readonly (readonly string[])[],
): boolean {
  const texts = parts.flatMap(({ text: { title, sections } }) => [
    title,
    ...sections.flatMap(({ heading, text }) => [heading, text]),
  ]);
  return textsHave(texts, phrases);
}
