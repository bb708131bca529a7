// Cuts blocks that are too long for a passage into units that fit: sentences or lines, else words, else runs of
// characters.
import type { Block } from '../sections/section.ts';
import type { Yielder } from '../yielder.ts';
import type { TokenCounter } from './count-tokens.ts';
import { linesOf, runsOf, sentencesOf, wordsOf } from './sentences.ts';

export interface Unit {
  readonly text: string;
  readonly tokens: number;
  readonly position: number;
  /** True for a whole sentence. The next passage may begin with it again. */
  readonly canRepeat: boolean;
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
): Promise<Unit[][]> {
  const texts: string[][] = [];
  for (const { block } of long) {
    await yielder.yieldIfDue();
    texts.push(block.kind === 'lines' ? linesOf(block.text) : sentencesOf(block.text));
  }
  const counts = await countEach(texts, count);
  const units: Unit[][] = [];
  for (const [i, { block, budget }] of long.entries()) {
    units.push(await unitsOf(block, texts[i] ?? [], counts[i] ?? [], budget, count));
  }
  return units;
}

async function unitsOf(
  block: Block,
  texts: readonly string[],
  counts: readonly number[],
  budget: number,
  count: TokenCounter,
): Promise<Unit[]> {
  const units: Unit[] = [];
  let at = 0;
  for (const [i, text] of texts.entries()) {
    const tokens = counts[i] ?? 0;
    if (tokens <= budget) {
      const position = positionAt(block, at, i);
      units.push({ text, tokens, position, canRepeat: block.kind !== 'lines' });
      at += text.length;
      continue;
    }
    for (const part of await cutToWords(text, budget, count)) {
      units.push({ ...part, position: positionAt(block, at, i), canRepeat: false });
      at += part.text.length;
    }
  }
  return units;
}

interface CountedText {
  readonly text: string;
  readonly tokens: number;
}

/** Cuts a sentence or a line that is too long by itself. */
async function cutToWords(
  text: string,
  budget: number,
  count: TokenCounter,
): Promise<CountedText[]> {
  const parts: CountedText[] = [];
  for (const word of await withCounts(wordsOf(text), count)) {
    if (word.tokens <= budget) parts.push(word);
    else for (const run of await cutToRuns(word, budget, count)) parts.push(run);
  }
  return parts;
}

/** Cuts a word that is too long by itself. */
async function cutToRuns(
  word: CountedText,
  budget: number,
  count: TokenCounter,
): Promise<CountedText[]> {
  const length = Math.floor((word.text.length * budget) / word.tokens);
  const runs: CountedText[] = [];
  for (const run of await withCounts(runsOf(word.text, length), count)) {
    const fits = run.tokens <= budget || run.text.length === 1 || run.text === word.text;
    if (fits) runs.push(run);
    else for (const smaller of await cutToRuns(run, budget, count)) runs.push(smaller);
  }
  return runs;
}

async function withCounts(texts: readonly string[], count: TokenCounter): Promise<CountedText[]> {
  const counts = await count(texts);
  return texts.map((text, i) => ({ text, tokens: counts[i] ?? 0 }));
}

async function countEach(
  lists: readonly (readonly string[])[],
  count: TokenCounter,
): Promise<number[][]> {
  const all = await count(lists.flat());
  let at = 0;
  return lists.map((list) => {
    const begin = at;
    at += list.length;
    return all.slice(begin, at);
  });
}

/** The position of the unit that begins `at` code units into the block. */
function positionAt({ marks, position, kind }: Block, at: number, unit: number): number {
  if (!marks) return kind === 'lines' ? position + unit : position;
  let low = 0;
  let high = marks.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.at ?? 0) <= at) low = middle;
    else high = middle;
  }
  return marks[low]?.position ?? position;
}
