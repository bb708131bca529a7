// Blocks that are too long for a passage, cut into units that are not: sentences, lines, words, runs of
// characters, whichever is the largest that fits.
import type { Block } from '../sections/blocks.ts';
import type { Pace } from '../yielder.ts';
import type { Counter } from './count-tokens.ts';
import { linesOf, runsOf, sentencesOf, wordsOf } from './sentences.ts';

export interface Unit {
  readonly text: string;
  readonly tokens: number;
  readonly position: number;
  /** A whole sentence, which the next passage may begin with once more. */
  readonly repeats: boolean;
}

export interface LongBlock {
  readonly block: Block;
  readonly budget: number;
}

/** The units of each block. Texts are counted all together, since a count may be a message to a worker. */
export async function cutAll(
  long: readonly LongBlock[],
  count: Counter,
  pace: Pace,
): Promise<Unit[][]> {
  const cut: string[][] = [];
  for (const { block } of long) {
    await pace.rest();
    cut.push(block.kind === 'lines' ? linesOf(block.text) : sentencesOf(block.text));
  }
  const counts = await countEach(cut, count);
  const units: Unit[][] = [];
  for (const [i, { block, budget }] of long.entries()) {
    const sentences = cut[i] ?? [];
    units.push(await unitsOf(block, sentences, counts[i] ?? [], budget, count));
  }
  return units;
}

async function unitsOf(
  block: Block,
  texts: readonly string[],
  counts: readonly number[],
  budget: number,
  count: Counter,
): Promise<Unit[]> {
  const units: Unit[] = [];
  let at = 0;
  for (const [i, text] of texts.entries()) {
    const tokens = counts[i] ?? 0;
    if (tokens <= budget) {
      const position = positionAt(block, at, i);
      units.push({ text, tokens, position, repeats: block.kind !== 'lines' });
      at += text.length;
      continue;
    }
    for (const part of await cutUnit({ text, tokens }, budget, count)) {
      units.push({ ...part, position: positionAt(block, at, i), repeats: false });
      at += part.text.length;
    }
  }
  return units;
}

interface Counted {
  readonly text: string;
  readonly tokens: number;
}

/** A sentence or a line that is too long by itself. */
async function cutUnit(whole: Counted, budget: number, count: Counter): Promise<Counted[]> {
  const words = wordsOf(whole.text);
  const counted = await withCounts(words, count);
  const parts: Counted[] = [];
  for (const word of counted) {
    if (word.tokens <= budget) parts.push(word);
    else for (const run of await cutWord(word, budget, count)) parts.push(run);
  }
  return parts;
}

/** A run without spaces that no reader would call a word. */
async function cutWord(word: Counted, budget: number, count: Counter): Promise<Counted[]> {
  const length = Math.floor((word.text.length * budget) / word.tokens);
  const runs: Counted[] = [];
  for (const run of await withCounts(runsOf(word.text, length), count)) {
    const fits = run.tokens <= budget || run.text.length === 1 || run.text === word.text;
    if (fits) runs.push(run);
    else for (const smaller of await cutWord(run, budget, count)) runs.push(smaller);
  }
  return runs;
}

async function withCounts(texts: readonly string[], count: Counter): Promise<Counted[]> {
  const counts = await count(texts);
  return texts.map((text, i) => ({ text, tokens: counts[i] ?? 0 }));
}

async function countEach(
  lists: readonly (readonly string[])[],
  count: Counter,
): Promise<number[][]> {
  const all = await count(lists.flat());
  let at = 0;
  return lists.map((list) => {
    const begin = at;
    at += list.length;
    return all.slice(begin, at);
  });
}

/** Where the unit lies that begins `at` characters into the block. */
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
