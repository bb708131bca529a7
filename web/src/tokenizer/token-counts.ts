// How many tokens texts have, for whoever splits documents. Loaded with the first call.
import type { Tokens } from './types.ts';

type Tokenize = (text: string) => Promise<Tokens>;

/** A call's texts together; a message for each would cost more than its tokens. */
const unitsOfACall = 1 << 15;

export async function tokenCounts(
  texts: readonly string[],
  type: string | undefined,
  tokenize: Tokenize,
): Promise<Uint32Array<ArrayBuffer>> {
  const counts = new Uint32Array(texts.length);
  if (type !== 'wordpiece') {
    for (const [i, text] of texts.entries()) {
      counts[i] = (await tokenize(text)).ids.length;
    }
    return counts;
  }
  // No word piece goes over a line's end, so texts on lines of their own are what they are alone.
  for (let at = 0; at < texts.length; ) {
    const ends: number[] = [];
    let joined = '';
    while (at + ends.length < texts.length && joined.length < unitsOfACall) {
      joined += `${texts[at + ends.length]}\n`;
      ends.push(joined.length);
    }
    let i = 0;
    for (const [begin] of (await tokenize(joined)).offsets) {
      while (begin >= (ends[i] ?? 0)) {
        i++;
      }
      counts[at + i] = (counts[at + i] ?? 0) + 1;
    }
    at += ends.length;
  }
  return counts;
}
