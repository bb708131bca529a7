// Tokens as text, and the likely tokens at each position.

import type { GeneratedToken } from 'ambry';
import { formatPercent } from '../../shared/base/format.ts';

export interface Candidate {
  readonly id: number;
  readonly text: string;
  /** From 0 to 1. */
  readonly probability: number;
  /** Whether the model took this token. */
  readonly sampled: boolean;
}

/** Maps the characters of byte-level vocabularies to bytes. Printable bytes stand for themselves. The others start at
 *  U+0100, in their order. */
function byteCharacters(): ReadonlyMap<string, number> {
  const isPrintable = (byte: number): boolean =>
    (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  let next = 0x100;
  const characters = Array.from({ length: 256 }, (_, byte) => {
    const code = isPrintable(byte) ? byte : next++;
    return [String.fromCharCode(code), byte] as const;
  });
  return new Map(characters);
}

const bytesByCharacter = byteCharacters();
const utf8Decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a vocabulary token. The vocabulary may spell bytes as other characters, or spaces as ▁. */
export function textOf(token: string): string {
  const bytes = [...token].map((character) => bytesByCharacter.get(character) ?? -1);
  try {
    return bytes.includes(-1)
      ? token.replaceAll('▁', ' ')
      : utf8Decoder.decode(Uint8Array.from(bytes));
  } catch {
    // A part of a character, or a character that is not spelled as bytes.
    return token;
  }
}

/** Shows white space by symbols, as most tokens begin with a space. */
export function visible(text: string): string {
  const seen = text.replaceAll(' ', '␣').replaceAll('\n', '↵').replaceAll('\t', '⇥');
  return seen === '' ? '∅' : seen;
}

/** The likeliest tokens at this position. The token itself is added if it is not one of them. */
export function candidatesOf({ id, text, probability, top = [] }: GeneratedToken): Candidate[] {
  const candidates = top.map((other) => ({
    id: other.id,
    text: textOf(other.token),
    probability: Math.exp(other.logprob),
    sampled: other.id === id,
  }));
  return candidates.some(({ sampled }) => sampled) || probability === undefined
    ? candidates
    : [...candidates, { id, text, probability, sampled: true }];
}

/** The token that the model found least likely; null where no probability is known. */
export function mostSurprising(tokens: readonly GeneratedToken[]): GeneratedToken | null {
  let found: GeneratedToken | null = null;
  for (const token of tokens) {
    if (token.probability !== undefined && token.probability < (found?.probability ?? 1)) {
      found = token;
    }
  }
  return found;
}

/** Describes the token for screen readers. */
export function sentenceOf(token: GeneratedToken): string {
  const [sampled, ...others] = candidatesOf(token).sort(
    (a, b) => Number(b.sampled) - Number(a.sampled),
  );
  if (sampled === undefined) {
    return '';
  }
  const alternatives = others
    .slice(0, 3)
    .map(({ text, probability }) => `“${visible(text)}” ${formatPercent(probability)}`);
  const rest = alternatives.length === 0 ? '' : ` Alternatives: ${alternatives.join(', ')}.`;
  return `“${visible(sampled.text)}” ${formatPercent(sampled.probability)}.${rest}`;
}
