// Counts the tokens of texts with the model's own tokenizer, or estimates them.
import { AmbryError } from '../../base/errors.ts';
import type { Yielder } from '../../base/yielder.ts';
import type { DocumentOptions } from '../base/types.ts';

export type TokenCounter = (texts: Iterable<string>) => Promise<number[]>;

/** Limits of one call of the caller's `count`. An abort takes effect between two calls. */
const maxBatchTexts = 1024;
const maxBatchUnits = 1 << 20;
/** A tokenizer may take a long run of characters, such as base64 data, as one unknown token. This many code units
 *  count as one token at least. */
const maxUnitsPerToken = 32;

/** An English vocabulary of ten thousand word pieces or more covers about this many letters with one piece. */
const lettersPerPiece = 6;
const unspacedScripts =
  '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Khmer}\\p{sc=Lao}\\p{sc=Myanmar}]';
const wordPattern = new RegExp(`(?:(?!${unspacedScripts})[\\p{L}\\p{M}\\p{N}])+|\\S`, 'gu');

/** Estimates what a word-piece tokenizer gives. The estimate is rather too high than too low. */
export function estimateTokens(text: string): number {
  return asciiTokens(text) ?? matchedTokens(text);
}

/** Counts the tokens of a text of ASCII characters, without a list of its words. Undefined for another text. */
function asciiTokens(text: string): number | undefined {
  let tokens = 0;
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) {
      return undefined;
    }
    if (isAsciiLetter(code)) {
      // The first letter of each piece counts.
      if (letters === 0) {
        tokens++;
      }
      letters = letters === lettersPerPiece - 1 ? 0 : letters + 1;
    } else {
      letters = 0;
      if (code > space || (code < space && !isAsciiSpace(code))) {
        tokens++;
      }
    }
  }
  return tokens;
}

const space = 0x20;

/** Tab to carriage return. */
function isAsciiSpace(code: number): boolean {
  return code >= 0x09 && code <= 0x0d;
}

/** Or a digit. */
function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

function matchedTokens(text: string): number {
  let tokens = 0;
  for (const word of text.match(wordPattern) ?? []) {
    tokens += Math.ceil(word.length / lettersPerPiece);
  }
  return tokens;
}

export function tokenCounter({ count }: DocumentOptions, yielder: Yielder): TokenCounter {
  return async (texts) => {
    const counts: number[] = [];
    for (const batch of batchesOf(texts)) {
      await yielder.yieldIfDue();
      const found = count ? await count(batch) : batch.map(estimateTokens);
      if (found.length !== batch.length) {
        throw wrongCount(batch.length, found.length);
      }
      batch.forEach((text, i) => {
        counts.push(Math.max(found[i] ?? 0, text.length / maxUnitsPerToken));
      });
    }
    return counts;
  };
}

function* batchesOf(texts: Iterable<string>): Generator<string[]> {
  let batch: string[] = [];
  let units = 0;
  for (const text of texts) {
    const isFull = batch.length >= maxBatchTexts || units + text.length > maxBatchUnits;
    if (batch.length > 0 && isFull) {
      yield batch;
      batch = [];
      units = 0;
    }
    batch.push(text);
    units += text.length;
  }
  if (batch.length > 0) {
    yield batch;
  }
}

function wrongCount(texts: number, counts: number): AmbryError {
  const message = `options.count returned ${counts} counts for ${texts} texts. It must return one for each.`;
  return new AmbryError('BadValue', message, { path: 'options.count' });
}
