// Packs sections into passages. Short neighbours are joined, and long blocks are cut. After a cut between sentences
// the next passage begins with the last sentence again, so that it keeps its context.

import type { Yielder } from '../../base/yielder.ts';
import type { Block, Section } from '../sections/section.ts';
import { maxBatchUnits, shortBlocks } from '../sections/short-blocks.ts';
import type { TokenCounter } from './count-tokens.ts';
import { cutBlocks, type LongBlock, positionsIn, type Units } from './cut-blocks.ts';
import { runEnds } from './sentences.ts';

export interface Piece {
  readonly text: string;
  readonly position: number;
}

/** A section with the tokens that its heading leaves for the text of each passage. */
interface BudgetedSection {
  readonly section: Section;
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

/** A section and those of its passages that are ready. */
export interface PackedSection {
  readonly section: Section;
  readonly pieces: readonly Piece[];
}

interface OpenSection {
  readonly section: BudgetedSection;
  readonly pieces: OpenPiece[];
}

/** Takes sections in the order of the document, some at a time. No passage has more tokens than `maxTokens`, including
 *  its heading. */
export class PassagePacker {
  readonly #maxTokens: number;
  readonly #count: TokenCounter;
  readonly #yielder: Yielder;
  /** The last passage so far. The next part of its section may join it. */
  #last: OpenSection | undefined;

  constructor(maxTokens: number, count: TokenCounter, yielder: Yielder) {
    this.#maxTokens = maxTokens;
    this.#count = count;
    this.#yielder = yielder;
  }

  async pack(sections: readonly Section[]): Promise<PackedSection[]> {
    const budgeted = await withBudgets(sections, this.#maxTokens, this.#count);
    const opened = budgeted.map((section): OpenSection => ({ section, pieces: [] }));
    const last = this.#last;
    const [first] = opened;
    if (last && first?.section.section.isContinued) {
      first.pieces.push(...last.pieces);
    }
    await this.#addBlocks(opened);
    const done = last && !first?.section.section.isContinued ? [last, ...opened] : opened;
    this.#last = lastPiece(done);
    return this.#closed(done);
  }

  /** The last passage. */
  async finish(): Promise<PackedSection[]> {
    const last = this.#last ? [this.#last] : [];
    this.#last = undefined;
    return this.#closed(last);
  }

  async #addBlocks(opened: readonly OpenSection[]): Promise<void> {
    for (const batch of batchesOf(opened)) {
      await this.#yielder.yieldIfDue();
      const tokens = await this.#count(batch.map(({ block }) => block.text));
      const isLong = ({ budget }: PlacedBlock, i: number) => (tokens[i] ?? 0) > budget;
      const units = (await cutBlocks(batch.filter(isLong), this.#count, this.#yielder)).values();
      batch.forEach((placed, i) => {
        const isCut = isLong(placed, i) ? units.next().value : undefined;
        packBlock(placed.pieces, placed, tokens[i] ?? 0, isCut);
      });
    }
  }

  async #closed(opened: readonly OpenSection[]): Promise<PackedSection[]> {
    const closed = opened.map(({ section, pieces }) => ({
      section,
      pieces: withPrefix(pieces, section),
    }));
    return splitOversized(closed, this.#maxTokens, this.#count);
  }
}

/** Takes the last piece of the last section away from it. */
function lastPiece(opened: readonly OpenSection[]): OpenSection | undefined {
  const last = opened.at(-1);
  return last && { section: last.section, pieces: last.pieces.splice(-1) };
}

/** A block with the passages of its section. */
interface PlacedBlock extends LongBlock {
  readonly pieces: OpenPiece[];
}

function* batchesOf(opened: readonly OpenSection[]): Generator<PlacedBlock[]> {
  let batch: PlacedBlock[] = [];
  let units = 0;
  for (const { section, pieces } of opened) {
    const { blocks, budget } = section;
    for (const whole of blocks) {
      for (const block of shortBlocks(whole, maxBatchUnits)) {
        batch.push({ pieces, block, budget });
        units += block.text.length;
        if (units < maxBatchUnits) {
          continue;
        }
        yield batch;
        batch = [];
        units = 0;
      }
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
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
  return sections.map((section) => {
    const { heading, blocks, isContinued } = section;
    const prefix = heading ? `${heading}: ` : '';
    const prefixTokens = tokensOf.get(prefix) ?? 0;
    if (prefixTokens <= maxTokens / 2) {
      return { section, prefix, prefixTokens, budget: maxTokens - prefixTokens, blocks };
    }
    const bare = { section, prefix: '', prefixTokens: 0, budget: maxTokens };
    if (isContinued) {
      return { ...bare, blocks };
    }
    const block: Block = { text: heading, position: blocks[0]?.position ?? 1, kind: 'prose' };
    return { ...bare, blocks: [block, ...blocks] };
  });
}

/** Adds a block to the passages of its section. `units` are those of a block that is too long. */
function packBlock(
  pieces: OpenPiece[],
  { block, budget }: PlacedBlock,
  tokens: number,
  units: Units | undefined,
): void {
  const last = pieces.at(-1);
  // Neighbours are joined up to half of a passage only, so that a vector stands for one topic.
  if (units) {
    for (const piece of packUnits(block, units, budget)) {
      pieces.push(piece);
    }
  } else if (last && last.tokens + tokens <= budget / 2) {
    last.text += `${block.kind === 'prose' ? ' ' : '\n'}${block.text}`;
    last.tokens += tokens;
  } else {
    pieces.push({ text: block.text, tokens, position: block.position });
  }
}

/** A piece of a block may be white space only. It is left out. */
function withPrefix(pieces: readonly OpenPiece[], section: BudgetedSection): OpenPiece[] {
  const { prefix, prefixTokens } = section;
  return pieces
    .map(({ text, tokens, position }) => ({
      text: text.trim(),
      tokens: tokens + prefixTokens,
      position,
    }))
    .filter(({ text }) => text !== '')
    .map((piece) => ({ ...piece, text: prefix + piece.text }));
}

/** Packs the units of a long block into passages of about the same length. */
function packUnits(block: Block, { ends, tokens, canRepeat }: Units, budget: number): OpenPiece[] {
  const total = tokens.reduce((sum, each) => sum + each, 0);
  const target = total / Math.ceil(total / budget);
  const positionOf = positionsIn(block);
  const pieces: OpenPiece[] = [];
  let piece: OpenPiece | undefined;
  let begin = 0;
  let newTokens = 0;
  tokens.forEach((added, i) => {
    if (!piece || newTokens >= target || piece.tokens + added > budget) {
      const at = ends[i - 1] ?? 0;
      if (piece) {
        piece.text = block.text.slice(begin, at);
      }
      const before = tokens[i - 1] ?? 0;
      const isRepeated = canRepeat[i - 1] && before + added <= budget;
      begin = isRepeated ? (ends[i - 2] ?? 0) : at;
      piece = { text: '', tokens: isRepeated ? before : 0, position: positionOf(begin) };
      pieces.push(piece);
      newTokens = 0;
    }
    piece.tokens += added;
    newTokens += added;
  });
  if (piece) {
    piece.text = block.text.slice(begin);
  }
  return pieces;
}

/** Some tokenizers find more tokens in a text than in its parts together. Passages that are too long for that reason
 *  are halved. */
async function splitOversized(
  opened: readonly OpenSection[],
  maxTokens: number,
  count: TokenCounter,
): Promise<PackedSection[]> {
  const nearLimit = opened
    .flatMap(({ pieces }) => pieces)
    .filter(({ tokens }) => tokens > maxTokens * recountShare);
  const counts = await count(nearLimit.map(({ text }) => text));
  const recounted = new Map(nearLimit.map((piece, i) => [piece as Piece, counts[i] ?? 0]));
  const result: PackedSection[] = [];
  for (const { section, pieces } of opened) {
    const fitting: Piece[] = [];
    for (const piece of pieces) {
      const tokens = recounted.get(piece) ?? 0;
      const parts = tokens > maxTokens ? await halve(piece, maxTokens, count) : [piece];
      for (const part of parts) {
        fitting.push(part);
      }
    }
    if (fitting.length > 0) {
      result.push({ section: section.section, pieces: fitting });
    }
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
  const [middle = 0] = runEnds(text, 0, text.length, space > 0 ? space : text.length >> 1);
  const pieces: Piece[] = [];
  for (const half of [text.slice(0, middle).trim(), text.slice(middle).trim()]) {
    if (half === '') {
      continue;
    }
    const [tokens = 0] = await count([half]);
    const piece = { text: half, position };
    const isDone = tokens <= maxTokens || half.length >= text.length;
    for (const part of isDone ? [piece] : await halve(piece, maxTokens, count)) {
      pieces.push(part);
    }
  }
  return pieces;
}
