import type { SearchHit } from 'ambry';

/** A hit with this text. `doc` adds fields to its document. */
export function hit(
  text: string,
  doc: Readonly<Record<string, unknown>> = {},
  score = 0.5,
): SearchHit {
  return { id: text, text, score, doc: { ...doc, text } } as SearchHit;
}
