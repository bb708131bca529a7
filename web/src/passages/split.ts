// Paragraphs to passages of a good length: short neighbours are put together, long ones are cut
// between sentences, and a sentence that is too long by itself between words.
import type { Paragraph } from './sections.ts';

const kMostWords = 100;
/** Neighbours are put together up to here, so that a vector stands for one thing. */
const kGoodWords = 60;

export function packParagraphs(paragraphs: readonly Paragraph[]): Paragraph[] {
  const packed: Paragraph[] = [];
  for (const { text, line } of paragraphs) {
    const last = packed.at(-1);
    if (last && wordsIn(last.text) + wordsIn(text) <= kGoodWords) {
      packed[packed.length - 1] = { text: `${last.text} ${text}`, line: last.line };
    } else {
      for (const piece of splitLong(text)) packed.push({ text: piece, line });
    }
  }
  return packed;
}

function splitLong(text: string): string[] {
  const whole = text.trim();
  if (whole === '') return [];
  if (wordsIn(whole) <= kMostWords) return [whole];
  const pieces: string[] = [];
  let current = '';
  for (const sentence of sentencesOf(whole).flatMap(cutSentence)) {
    if (current !== '' && wordsIn(current) + wordsIn(sentence) > kMostWords) {
      pieces.push(current.trim());
      current = '';
    }
    current += sentence;
  }
  pieces.push(current.trim());
  return pieces;
}

/** Words of scripts without spaces are counted as two characters each. */
function wordsIn(text: string): number {
  const unspaced = text.match(
    /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}]/gu,
  );
  const spaced = text.match(/\S+/g);
  return (spaced?.length ?? 0) + (unspaced?.length ?? 0) / 2;
}

/** Sentences with the spaces after them. */
function sentencesOf(text: string): string[] {
  if (typeof Intl.Segmenter === 'function') {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
    return Array.from(segmenter.segment(text), ({ segment }) => segment);
  }
  return text.match(/[^.!?。！？]+(?:[.!?。！？]+\s*|$)/gu) ?? [text];
}

function cutSentence(sentence: string): string[] {
  if (wordsIn(sentence) <= kMostWords) return [sentence];
  const parts = sentence.match(/\S+\s*/g) ?? [sentence];
  const pieces: string[] = [];
  let current = '';
  for (const part of parts.flatMap(cutUnspaced)) {
    if (current !== '' && wordsIn(current) + wordsIn(part) > kMostWords) {
      pieces.push(current);
      current = '';
    }
    current += part;
  }
  return [...pieces, current];
}

/** A run without spaces that no reader would call a word. */
function cutUnspaced(part: string): string[] {
  if (wordsIn(part) <= kMostWords) return [part];
  return Array.from(part.match(/.{1,150}/gsu) ?? [part]);
}
