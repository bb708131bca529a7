// What the model can read of a query. All signs that it does not know have one vector, and letters that make no word are cut
// into pieces of one or two, whose vectors say nothing.
import type { Encoder } from 'ambry/static-encoder';

/** Latin words are cut into pieces of about four letters. A query whose pieces are shorter on the average has no word that the
 *  model knows. */
const leastLetters = 2.1;
const latin = /\p{sc=Latin}/gu;
/** A letter of another alphabet. Models know these one by one, and their vectors say nothing of a word. */
const otherLetter = /^(?![\p{sc=Latin}\p{Lo}])\p{L}$/u;

export interface ReadableText {
  /** The query without the words that the model does not know. */
  readonly text: string;
  /** Whether the pieces are long enough to be of words. */
  readonly hasWords: boolean;
}

/** Undefined if the model knows nothing of the query. */
export async function readableText(
  encoder: Encoder,
  query: string,
): Promise<ReadableText | undefined> {
  const { ids, offsets } = await encoder.tokenize(query, { special: false });
  const unknown = encoder.tokenizer?.special['unk'];
  const known = offsets.filter(
    ([start, end], i) => ids[i] !== unknown && !otherLetter.test(query.slice(start, end)),
  );
  const pieces = known.map(([start, end]) => query.slice(start, end));
  if (!pieces.some((piece) => /[\p{L}\p{N}]/u.test(piece))) {
    return undefined;
  }
  const ofWords = pieces.filter((piece) => piece.match(latin));
  const letters = ofWords.join('').match(latin)?.length ?? 0;
  return {
    text: known.length === offsets.length ? query : joined(query, known),
    hasWords: ofWords.length < pieces.length || letters >= leastLetters * ofWords.length,
  };
}

/** The pieces, with a blank where others stood between them. */
function joined(query: string, pieces: readonly (readonly [number, number])[]): string {
  let [text, last] = ['', 0];
  for (const [start, end] of pieces) {
    text += (start > last ? ' ' : '') + query.slice(start, end);
    last = end;
  }
  return text.trim();
}
