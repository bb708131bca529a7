// The windows of texts, as the worker gives them.
import type { TokenRows } from '../token-head/protocol.ts';
import { type WindowRows, windowsOf } from '../token-head/token-windows.ts';

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
  const each = windowsOf(rows, count, ({ length }) => length);
  return each.map((windows) => windows.map((one) => tokensOf(one, rows.width)));
}

function tokensOf({ window, logits }: WindowRows, width: number): LabelledToken[] {
  const found: LabelledToken[] = [];
  for (let i = 0; i < window.length; i++) {
    if (!window.is(i, 'special')) {
      found.push({
        start: window.begin(i),
        end: window.end(i),
        isSubword: window.is(i, 'subword'),
        logits: logits.subarray(i * width, (i + 1) * width),
      });
    }
  }
  return found;
}
