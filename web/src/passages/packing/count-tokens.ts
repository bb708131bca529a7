// How many tokens texts have: by the model's own tokenizer, or by an estimate.
import { AmbryError } from '../../errors.ts';
import type { DocumentOptions } from '../types.ts';
import type { Pace } from '../yielder.ts';

export type Counter = (texts: readonly string[]) => Promise<number[]>;

/** Texts of one call; between two calls an abort is heard. */
const kTextsAtATime = 1024;
const kUnitsAtATime = 1 << 20;
/** What no tokenizer of words takes apart, such as data in base64, is long all the same. */
const kUnitsOfAToken = 32;

/** Letters that an English vocabulary of some ten thousand pieces has in one. */
const kLettersOfAPiece = 6;
const kUnspaced = '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Khmer}\\p{sc=Lao}]';
const kWords = new RegExp(`(?:(?!${kUnspaced})[\\p{L}\\p{M}\\p{N}])+|\\S`, 'gu');

/** About as many as a tokenizer of word pieces gives, rather more than fewer. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const word of text.match(kWords) ?? []) tokens += Math.ceil(word.length / kLettersOfAPiece);
  return tokens;
}

export function counterFor({ count }: DocumentOptions, pace: Pace): Counter {
  return async (texts) => {
    const counts: number[] = [];
    for (const part of partsOf(texts)) {
      await pace.rest();
      const found = count ? await count(part) : part.map(estimateTokens);
      if (found.length !== part.length) throw miscounted(part.length, found.length);
      part.forEach((text, i) => {
        counts.push(Math.max(found[i] ?? 0, text.length / kUnitsOfAToken));
      });
    }
    return counts;
  };
}

function* partsOf(texts: readonly string[]): Generator<string[]> {
  let part: string[] = [];
  let units = 0;
  for (const text of texts) {
    if (part.length >= kTextsAtATime || (part.length > 0 && units + text.length > kUnitsAtATime)) {
      yield part;
      part = [];
      units = 0;
    }
    part.push(text);
    units += text.length;
  }
  if (part.length > 0) yield part;
}

function miscounted(wanted: number, given: number): AmbryError {
  const message = `options.count gave ${given} numbers for ${wanted} texts.`;
  return new AmbryError('BadValue', message, { path: 'options.count' });
}
