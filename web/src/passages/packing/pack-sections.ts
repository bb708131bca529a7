// Packs sections into passages. Short neighbours are joined, and long blocks are cut. After a cut between sentences
// the next passage begins with the last sentence again, so that it keeps its context.
import type { Block, Section } from '../sections/section.ts';
import type { Yielder } from '../yielder.ts';
import type { TokenCounter } from './count-tokens.ts';
import { cutBlocks, type LongBlock, type Unit } from './cut-blocks.ts';
import { runsOf } from './sentences.ts';
import { shortBlocks } from './short-blocks.ts';

export interface Piece {
  readonly text: string;
  readonly position: number;
}

/** A section with the tokens that its heading leaves for the text of each passage. */
interface BudgetedSection {
  readonly prefix: string;
  readonly prefixTokens: number;
  readonly budget: number;
  readonly blocks: readonly Block[];
}

interface OpenPiece {
  text: string;
  tokens: number;
  position: number;
}

/** A passage above this share of the limit is counted again as a whole. */
const recountShare = 7 / 8;

/** Blocks of so many code units are counted and cut together. More would fill the memory with their words. */
const maxBatchUnits = 1 << 19;

/** Returns the passages of each section. None has more than `maxTokens` tokens, including its heading. */
export async function packSections(
  sections: readonly Section[],
  maxTokens: number,
  count: TokenCounter,
  yielder: Yielder,
): Promise<Piece[][]> {
  const budgeted = await withBudgets(sections, maxTokens, count);
  const packed = budgeted.map((): OpenPiece[] => []);
  for (const batch of batchesOf(budgeted)) {
    await yielder.yieldIfDue();
    const tokens = await count(batch.map(({ block }) => block.text));
    const isLong = ({ budget }: PlacedBlock, i: number) => (tokens[i] ?? 0) > budget;
    const units = (await cutBlocks(batch.filter(isLong), count, yielder)).values();
    batch.forEach((placed, i) => {
      const isCut = isLong(placed, i) ? units.next().value : undefined;
      packBlock(packed[placed.section] ?? [], placed, tokens[i] ?? 0, isCut);
    });
  }
  packed.forEach((pieces, i) => {
    withPrefix(pieces, budgeted[i]);
  });
  return splitOversized(packed, maxTokens, count);
}

/** A block with the section that it is in. */
interface PlacedBlock extends LongBlock {
  readonly section: number;
}

function* batchesOf(sections: readonly BudgetedSection[]): Generator<PlacedBlock[]> {
  let batch: PlacedBlock[] = [];
  let units = 0;
  for (const [section, { blocks, budget }] of sections.entries()) {
    for (const whole of blocks) {
      for (const block of shortBlocks(whole, maxBatchUnits)) {
        batch.push({ section, block, budget });
        units += block.text.length;
        if (units < maxBatchUnits) continue;
        yield batch;
        batch = [];
        units = 0;
      }
    }
  }
  if (batch.length > 0) yield batch;
}

/** The heading is put before every passage. A heading that takes more than half of a passage becomes text
 *  instead. */
async function withBudgets(
  sections: readonly Section[],
  maxTokens: number,
  count: TokenCounter,
): Promise<BudgetedSection[]> {
  const prefixes = [...new Set(sections.map(({ heading }) => (heading ? `${heading}: ` : '')))];
  const counts = await count(prefixes);
  const tokensOf = new Map(prefixes.map((prefix, i) => [prefix, counts[i] ?? 0]));
  return sections.map(({ heading, blocks }) => {
    const prefix = heading ? `${heading}: ` : '';
    const prefixTokens = tokensOf.get(prefix) ?? 0;
    if (prefixTokens <= maxTokens / 2) {
      return { prefix, prefixTokens, budget: maxTokens - prefixTokens, blocks };
    }
    const block: Block = { text: heading, position: blocks[0]?.position ?? 1, kind: 'prose' };
    return { prefix: '', prefixTokens: 0, budget: maxTokens, blocks: [block, ...blocks] };
  });
}

/** Adds a block to the passages of its section. `units` are those of a block that is too long. */
function packBlock(
  pieces: OpenPiece[],
  { block, budget }: PlacedBlock,
  tokens: number,
  units: readonly Unit[] | undefined,
): void {
  const last = pieces.at(-1);
  // Neighbours are joined up to half of a passage only, so that a vector stands for one topic.
  if (units) {
    for (const piece of packUnits(units, budget)) pieces.push(piece);
  } else if (last && last.tokens + tokens <= budget / 2) {
    last.text += `${block.kind === 'prose' ? ' ' : '\n'}${block.text}`;
    last.tokens += tokens;
  } else {
    pieces.push({ text: block.text, tokens, position: block.position });
  }
}

function withPrefix(pieces: readonly OpenPiece[], section: BudgetedSection | undefined): void {
  for (const piece of pieces) {
    piece.text = (section?.prefix ?? '') + piece.text.trim();
    piece.tokens += section?.prefixTokens ?? 0;
  }
}

/** Packs the units of a long block into passages of about the same length. */
function packUnits(units: readonly Unit[], budget: number): OpenPiece[] {
  const total = units.reduce((sum, { tokens }) => sum + tokens, 0);
  const target = total / Math.ceil(total / budget);
  const pieces: OpenPiece[] = [];
  let piece: OpenPiece | undefined;
  let newTokens = 0;
  units.forEach((unit, i) => {
    if (!piece || newTokens >= target || piece.tokens + unit.tokens > budget) {
      const before = piece && units[i - 1];
      const canRepeat = before?.canRepeat && before.tokens + unit.tokens <= budget;
      const repeated = canRepeat ? before : undefined;
      piece = {
        text: repeated?.text ?? '',
        tokens: repeated?.tokens ?? 0,
        position: (repeated ?? unit).position,
      };
      pieces.push(piece);
      newTokens = 0;
    }
    piece.text += unit.text;
    piece.tokens += unit.tokens;
    newTokens += unit.tokens;
  });
  return pieces;
}

/** Some tokenizers find more tokens in a text than in its parts together. Passages that are too long for that reason
 *  are halved. */
async function splitOversized(
  packed: readonly OpenPiece[][],
  maxTokens: number,
  count: TokenCounter,
): Promise<Piece[][]> {
  const nearLimit = packed.flat().filter(({ tokens }) => tokens > maxTokens * recountShare);
  const counts = await count(nearLimit.map(({ text }) => text));
  const recounted = new Map(nearLimit.map((piece, i) => [piece as Piece, counts[i] ?? 0]));
  const result: Piece[][] = [];
  for (const pieces of packed) {
    const fitting: Piece[] = [];
    for (const piece of pieces) {
      const tokens = recounted.get(piece) ?? 0;
      const parts = tokens > maxTokens ? await halve(piece, maxTokens, count) : [piece];
      for (const { text, position } of parts) fitting.push({ text, position });
    }
    result.push(fitting);
  }
  return result;
}

/** Halves a piece again and again until every part fits. */
async function halve(
  { text, position }: Piece,
  maxTokens: number,
  count: TokenCounter,
): Promise<Piece[]> {
  const space = text.lastIndexOf(' ', text.length >> 1);
  const [head = '', ...rest] = runsOf(text, space > 0 ? space : text.length >> 1);
  const pieces: Piece[] = [];
  for (const half of [head.trim(), rest.join('').trim()]) {
    if (half === '') continue;
    const [tokens = 0] = await count([half]);
    const piece = { text: half, position };
    const isDone = tokens <= maxTokens || half.length >= text.length;
    for (const part of isDone ? [piece] : await halve(piece, maxTokens, count)) pieces.push(part);
  }
  return pieces;
}
