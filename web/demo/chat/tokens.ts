// A token as people read it.

import type { GeneratedToken } from 'ambry';
import { formatPercent } from '../shared/format.ts';

export interface Chance {
  readonly id: number;
  readonly text: string;
  /** From 0 to 1. */
  readonly probability: number;
  /** It was this one that was drawn. */
  readonly drawn: boolean;
}

/** Bytes by the letters that byte-level vocabularies spell them with: printed ones as they are, the others in
 *  their order from U+0100 on. */
function byteLetters(): ReadonlyMap<string, number> {
  const isPrinted = (byte: number): boolean =>
    (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  let next = 0x100;
  const letters = Array.from({ length: 256 }, (_, byte) => {
    const code = isPrinted(byte) ? byte : next++;
    return [String.fromCharCode(code), byte] as const;
  });
  return new Map(letters);
}

const kByteOf = byteLetters();
const kUtf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a token of the vocabulary, which may spell bytes as letters, or spaces as ▁. */
export function textOf(token: string): string {
  const bytes = [...token].map((letter) => kByteOf.get(letter) ?? -1);
  try {
    return bytes.includes(-1) ? token.replaceAll('▁', ' ') : kUtf8.decode(Uint8Array.from(bytes));
  } catch {
    // Part of a character, or a letter of its own that also stands for a byte.
    return token;
  }
}

/** White space can be seen: a token is often a word with the space before it. */
export function visible(text: string): string {
  const seen = text.replaceAll(' ', '␣').replaceAll('\n', '↵').replaceAll('\t', '⇥');
  return seen === '' ? '∅' : seen;
}

/** The likeliest tokens in this one's place, and this one where it was not among them. */
export function chancesOf({ id, text, probability, top = [] }: GeneratedToken): Chance[] {
  const chances = top.map((other) => ({
    id: other.id,
    text: textOf(other.token),
    probability: Math.exp(other.logprob),
    drawn: other.id === id,
  }));
  return chances.some(({ drawn }) => drawn) || probability === undefined
    ? chances
    : [...chances, { id, text, probability, drawn: true }];
}

/** One sentence for those who listen. */
export function sentenceOf(token: GeneratedToken): string {
  const [drawn, ...others] = chancesOf(token).sort((a, b) => Number(b.drawn) - Number(a.drawn));
  if (drawn === undefined) {
    return '';
  }
  const instead = others
    .slice(0, 3)
    .map(({ text, probability }) => `“${visible(text)}” ${formatPercent(probability)}`);
  const rest = instead.length === 0 ? '' : ` Instead: ${instead.join(', ')}.`;
  return `“${visible(drawn.text)}” ${formatPercent(drawn.probability)}.${rest}`;
}
