// Whole words around the tokens of an answer.
import type { TokenWindow } from '../token-head/token-windows.ts';

/** A letter, a digit, or a mark over one. */
const wordCharacter = /[\p{L}\p{N}\p{M}]/u;
/** In these scripts no space parts words, so that letters side by side are often several words. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]/u;
/** A mark, a joiner or the tone of a skin belongs to the character before. */
const belongsBefore = /[\p{M}\p{Emoji_Modifier}\u200d]/u;
const whiteSpace = /\s/;
const joiner = '\u200d';

/** Where the words of each token begin and end in the text. */
export interface WordEnds {
  readonly begins: Uint32Array;
  readonly ends: Uint32Array;
}

/** The words of the tokens of the second text. `cutsWords` says that the tokenizer cuts words into pieces, as WordPiece does, so
 *  that its own mark of a piece counts. */
export function wordEndsOf(window: TokenWindow, text: string, cutsWords: boolean): WordEnds {
  const { length } = window;
  const begins = new Uint32Array(length);
  const ends = new Uint32Array(length);
  const goesOn = (token: number) =>
    cutsWords && window.is(token, 'subword') && window.is(token - 1, 'second');
  for (let i = 0; i < length; i++) {
    const isPiece = i > 0 && goesOn(i);
    begins[i] = isPiece ? (begins[i - 1] ?? 0) : wordBegin(text, window.begin(i));
  }
  for (let i = length - 1; i >= 0; i--) {
    const isCut = i + 1 < length && goesOn(i + 1);
    ends[i] = isCut ? (ends[i + 1] ?? 0) : wordEnd(text, window.end(i));
  }
  return { begins, ends };
}

/** The place of the first character of the word at `at`, after white space. */
function wordBegin(text: string, at: number): number {
  let begin = at;
  while (begin < text.length && whiteSpace.test(text.charAt(begin))) {
    begin++;
  }
  while (isInWord(text, begin)) {
    begin -= before(text, begin).length;
  }
  return begin;
}

/** The place after the last character of the word that ends at `at`, or before white space. */
function wordEnd(text: string, at: number): number {
  let end = at;
  while (end > 0 && whiteSpace.test(text.charAt(end - 1))) {
    end--;
  }
  while (isInWord(text, end)) {
    end += after(text, end).length;
  }
  return end;
}

/** Whether the characters on both sides of a place are of one word. */
function isInWord(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) {
    return false;
  }
  const [left, right] = [before(text, at), after(text, at)];
  if (belongsBefore.test(right) || left === joiner) {
    return !whiteSpace.test(left);
  }
  return [left, right].every((one) => wordCharacter.test(one) && !unspaced.test(one));
}

const after = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0);

function before(text: string, at: number): string {
  const pair = text.slice(Math.max(0, at - 2), at);
  return pair.length === 2 && (pair.codePointAt(0) ?? 0) > 0xffff ? pair : pair.slice(-1);
}
