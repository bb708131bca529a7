// The masks of a text, and the numbers of each.
import type { TokenWindow, WindowRows } from '../token-head/token-windows.ts';

/** A mask in a text. */
export interface Mask {
  /** Where its token stands in the text. */
  readonly begin: number;
  readonly end: number;
  /** A number for each token of the vocabulary. */
  readonly logits: Float32Array;
}

/** So many tokens of a window stand for a missing word. */
export function maskCount(window: TokenWindow): number {
  let count = 0;
  for (let i = 0; i < window.length; i++) {
    count += Number(window.is(i, 'mask'));
  }
  return count;
}

/** The masks in their order in the text. One that is in two windows is read in the window that has more around it. */
export function masksIn(windows: readonly WindowRows[], width: number): Mask[] {
  const found = new Map<number, Mask & { readonly around: number }>();
  for (const { window, logits } of windows) {
    let row = 0;
    for (let i = 0; i < window.length; i++) {
      if (!window.is(i, 'mask')) {
        continue;
      }
      const [begin, end] = [window.begin(i), window.end(i)];
      const around = Math.min(i, window.length - 1 - i);
      if (around > (found.get(begin)?.around ?? -1)) {
        const own = logits.subarray(row * width, (row + 1) * width);
        found.set(begin, { begin, end, logits: own, around });
      }
      row++;
    }
  }
  return [...found.values()].sort((a, b) => a.begin - b.begin);
}

/** The text of the mask in the place of its token, which may have the white space before it. */
export function placeOf(text: string, { begin, end }: Mask, maskToken: string): [number, number] {
  const at = text.indexOf(maskToken, begin);
  return at >= 0 && at + maskToken.length <= end ? [at, at + maskToken.length] : [begin, end];
}

/** The text with a word in this place. White space at the word's beginning is only added after a character that is none. */
export function filledText(
  text: string,
  [begin, end]: readonly [number, number],
  word: string,
): string {
  const left = text.slice(0, begin);
  const isApart = left === '' || /\s$/.test(left);
  return left + (isApart ? word.trimStart() : word) + text.slice(end);
}

/** As `filledText`, with a token of WordPiece: a piece that begins with `##` goes on with the word before it, and any other token
 *  is a word of its own, so that a space parts it from letters and digits that touch the mask. */
export function filledWithPiece(
  text: string,
  [begin, end]: readonly [number, number],
  token: string,
): string {
  const [left, right] = [text.slice(0, begin), text.slice(end)];
  const isPiece = /^##./su.test(token);
  const upTo = isPiece ? left.trimEnd() + token.slice(2) : apart(left, token) + token;
  return apart(upTo, right) + right;
}

/** The text, with a space at its end where letters or digits would touch what comes next. */
function apart(text: string, next: string): string {
  return /[\p{L}\p{N}]$/u.test(text) && /^[\p{L}\p{N}]/u.test(next) ? `${text} ` : text;
}
