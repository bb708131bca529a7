// The windows of texts, as the worker gives them.
import { numbersOfToken, type TokenRows, tokenFlags } from '../token-head/protocol.ts';

/** A token that stands for a part of the text. */
export interface LabelledToken {
  readonly start: number;
  readonly end: number;
  /** The token goes on with the word of the token before. */
  readonly isSubword: boolean;
  /** A number for each label. */
  readonly logits: Float32Array;
}

/** The windows of each of `count` texts, with their tokens without special ones. */
export function windowsOfTexts(rows: TokenRows, count: number): LabelledToken[][][] {
  const texts: LabelledToken[][][] = Array.from({ length: count }, () => []);
  let first = 0;
  rows.counts.forEach((size, window) => {
    texts[rows.inputs[window] ?? 0]?.push(tokensOf(rows, first, size));
    first += size;
  });
  return texts;
}

function tokensOf({ tokens, logits, width }: TokenRows, first: number, size: number) {
  const found: LabelledToken[] = [];
  for (let i = first; i < first + size; i++) {
    const at = i * numbersOfToken;
    const numberAt = (place: number) => tokens[at + place] as number;
    const [start, end, flags] = [numberAt(1), numberAt(2), numberAt(3)];
    if (flags & tokenFlags.special) {
      continue;
    }
    const isSubword = (flags & tokenFlags.subword) !== 0;
    found.push({ start, end, isSubword, logits: logits.subarray(i * width, (i + 1) * width) });
  }
  return found;
}
