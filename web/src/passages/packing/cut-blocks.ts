// Cuts blocks that are too long for a passage into units that fit: sentences or lines, else words, else runs of
// characters.

import type { Yielder } from '../../base/yielder.ts';
import type { Block } from '../sections/section.ts';
import type { TokenCounter } from './count-tokens.ts';
import { lineEnds, partsOf, runEnds, sentenceEnds, wordEnds } from './sentences.ts';

/** The units of a block, one after another. They are columns, because a block may have a unit for each few letters. */
export interface Units {
  readonly ends: number[];
  readonly tokens: number[];
  /** True for a whole sentence. The next passage may begin with it again. */
  readonly canRepeat: boolean[];
}

export interface LongBlock {
  readonly block: Block;
  readonly budget: number;
}

/** Returns the units of each block. The texts of all blocks are counted together, because a count may be a message
 *  to a worker. */
export async function cutBlocks(
  long: readonly LongBlock[],
  count: TokenCounter,
  yielder: Yielder,
): Promise<Units[]> {
  const parts: number[][] = [];
  for (const { block } of long) {
    await yielder.yieldIfDue();
    parts.push(block.kind === 'lines' ? lineEnds(block.text) : sentenceEnds(block.text));
  }
  const counts = await count(textsOf(long, parts));
  const units: Units[] = [];
  let at = 0;
  for (const [i, ends] of parts.entries()) {
    const own = counts.slice(at, at + ends.length);
    at += ends.length;
    const cutter = long[i] && new UnitCutter(long[i], count);
    if (cutter) {
      units.push(await cutter.cut(ends, own));
    }
  }
  return units;
}

function* textsOf(
  long: readonly LongBlock[],
  parts: readonly (readonly number[])[],
): Generator<string> {
  for (const [i, { block }] of long.entries()) {
    yield* partsOf(block.text, 0, parts[i] ?? []);
  }
}

class UnitCutter {
  readonly #text: string;
  readonly #budget: number;
  readonly #isRepeatable: boolean;
  readonly #count: TokenCounter;
  readonly #units: Units = { ends: [], tokens: [], canRepeat: [] };

  constructor({ block, budget }: LongBlock, count: TokenCounter) {
    this.#text = block.text;
    this.#budget = budget;
    this.#isRepeatable = block.kind !== 'lines';
    this.#count = count;
  }

  /** Takes the ends of the block's sentences or lines, and their tokens. */
  async cut(ends: readonly number[], counts: readonly number[]): Promise<Units> {
    let begin = 0;
    for (const [i, end] of ends.entries()) {
      const tokens = counts[i] ?? 0;
      if (tokens <= this.#budget) {
        this.#add(end, tokens, this.#isRepeatable);
      } else {
        await this.#cutToWords(begin, end);
      }
      begin = end;
    }
    return this.#units;
  }

  #add(end: number, tokens: number, canRepeat: boolean): void {
    this.#units.ends.push(end);
    this.#units.tokens.push(tokens);
    this.#units.canRepeat.push(canRepeat);
  }

  /** Cuts a sentence or a line that is too long by itself. */
  async #cutToWords(begin: number, end: number): Promise<void> {
    const ends = wordEnds(this.#text, begin, end);
    const counts = await this.#count(partsOf(this.#text, begin, ends));
    let at = begin;
    for (const [i, wordEnd] of ends.entries()) {
      const tokens = counts[i] ?? 0;
      if (tokens <= this.#budget) {
        this.#add(wordEnd, tokens, false);
      } else {
        await this.#cutToRuns(at, wordEnd, tokens);
      }
      at = wordEnd;
    }
  }

  /** Cuts a word that is too long by itself. */
  async #cutToRuns(begin: number, end: number, wordTokens: number): Promise<void> {
    const length = Math.floor(((end - begin) * this.#budget) / wordTokens);
    const ends = runEnds(this.#text, begin, end, length);
    const counts = await this.#count(partsOf(this.#text, begin, ends));
    let at = begin;
    for (const [i, runEnd] of ends.entries()) {
      const tokens = counts[i] ?? 0;
      const isUncut = runEnd - at === 1 || runEnd - at === end - begin;
      if (tokens <= this.#budget || isUncut) {
        this.#add(runEnd, tokens, false);
      } else {
        await this.#cutToRuns(at, runEnd, tokens);
      }
      at = runEnd;
    }
  }
}

/** Tells the positions of places in a block, from the first to the last. */
export function positionsIn({ text, marks, position, kind }: Block): (at: number) => number {
  if (marks) {
    return (at) => marks.positions[markAt(marks.ats, at)] ?? position;
  }
  if (kind !== 'lines') {
    return () => position;
  }
  let line = position;
  let lineFeed = text.indexOf('\n');
  return (at) => {
    for (; lineFeed >= 0 && lineFeed < at; lineFeed = text.indexOf('\n', lineFeed + 1)) {
      line++;
    }
    return line;
  };
}

/** The index of the last mark that is not behind `at`. */
function markAt(ats: readonly number[], at: number): number {
  let low = 0;
  let high = ats.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((ats[middle] ?? 0) <= at) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}
