// Where a word is: the numbers of the parts of pages that have it, and what it counts there. What it counts is the BM25
// factor of the word's frequency in the part, in 15 steps. So a posting takes a byte and a half.
import { type ByteReader, ByteWriter } from './bytes.ts';

export const bm25 = { k: 1.2, b: 0.75 } as const;
/** What it adds that a heading or the title has the word, however long the part is. */
const nameBonus = 0.8;
/** No factor reaches k + 1. */
const mostImpact = bm25.k + 1 + nameBonus;
const steps = 15;

export interface Posting {
  readonly part: number;
  /** The BM25 factor, between 0 and k + 1, and the bonus for a heading or title. */
  readonly impact: number;
}

/** The factor by which a word's rarity counts in a part. `share` is the part's length divided by the mean length; `isName`
 *  says whether a heading or the title has the word. */
export function impactOf(frequency: number, share: number, isName: boolean): number {
  const damping = bm25.k * (1 - bm25.b + bm25.b * share);
  return (frequency * (bm25.k + 1)) / (frequency + damping) + (isName ? nameBonus : 0);
}

/** How much a word says: more if few of the parts have it. */
export function rarityOf(holders: number, parts: number): number {
  return Math.log(1 + (parts - holders + 0.5) / (holders + 0.5));
}

/** The postings are in the order of the parts. */
export function encodePostings(postings: readonly Posting[]): Uint8Array {
  const writer = new ByteWriter();
  writer.integer(postings.length);
  let next = 0;
  for (const { part } of postings) {
    writer.integer(part - next);
    next = part + 1;
  }
  for (let i = 0; i < postings.length; i += 2) {
    writer.byte(stepOf(postings[i]) | (stepOf(postings[i + 1]) << 4));
  }
  return writer.finish();
}

export function decodePostings(reader: ByteReader, partCount: number): Posting[] {
  const count = reader.integerUpTo(partCount);
  const parts: number[] = [];
  let next = 0;
  for (let i = 0; i < count; i++) {
    const part = next + reader.integerUpTo(partCount - 1 - next);
    parts.push(part);
    next = part + 1;
  }
  const nibbles = reader.bytes(Math.ceil(count / 2));
  return parts.map((part, i) => {
    const step = ((nibbles[i >> 1] ?? 0) >> (4 * (i & 1))) & 15;
    return { part, impact: (step * mostImpact) / steps };
  });
}

/** From 1 to 15; 0 where there is no posting. */
function stepOf(posting: Posting | undefined): number {
  if (!posting) {
    return 0;
  }
  return Math.min(steps, Math.max(1, Math.round((posting.impact * steps) / mostImpact)));
}
