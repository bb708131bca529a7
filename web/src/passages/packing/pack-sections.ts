// Sections to passages of a good length: short neighbours are put together, long blocks are cut. What is cut
// between sentences begins again with the sentence before, so that none is torn from what it speaks of.
import type { Block, Section } from '../sections/blocks.ts';
import type { Pace } from '../yielder.ts';
import type { Counter } from './count-tokens.ts';
import { cutAll, type LongBlock, type Unit } from './cut-blocks.ts';
import { runsOf } from './sentences.ts';

export interface Piece {
  readonly text: string;
  readonly position: number;
}

/** A section with what its heading leaves for each passage. */
interface Framed {
  readonly cost: number;
  readonly prefix: string;
  readonly budget: number;
  readonly blocks: readonly Block[];
}

interface Open {
  text: string;
  tokens: number;
  position: number;
}

/** From this share of the most on, a passage is counted once more as a whole. */
const kDoubtful = 7 / 8;

/** The passages of each section, none of more than `most` tokens, heading and all. */
export async function packSections(
  sections: readonly Section[],
  most: number,
  count: Counter,
  pace: Pace,
): Promise<Piece[][]> {
  const framed = await frame(sections, most, count);
  const blocks = framed.flatMap((section) => section.blocks);
  const tokens = await count(blocks.map(({ text }) => text));
  const long: LongBlock[] = [];
  let at = 0;
  for (const section of framed) {
    for (const block of section.blocks) {
      if ((tokens[at++] ?? 0) > section.budget) long.push({ block, budget: section.budget });
    }
  }
  const units = (await cutAll(long, count, pace)).values();
  const counts = tokens.values();
  return within(
    most,
    framed.map((section) => packOne(section, counts, units)),
    count,
  );
}

/** Puts the heading before every passage; one that would take most of it becomes text by itself. */
async function frame(
  sections: readonly Section[],
  most: number,
  count: Counter,
): Promise<Framed[]> {
  const prefixes = [...new Set(sections.map(({ heading }) => (heading ? `${heading}: ` : '')))];
  const counts = await count(prefixes);
  const costs = new Map(prefixes.map((prefix, i) => [prefix, counts[i] ?? 0]));
  return sections.map(({ heading, blocks }) => {
    const prefix = heading ? `${heading}: ` : '';
    const cost = costs.get(prefix) ?? 0;
    if (cost <= most / 2) return { prefix, cost, budget: most - cost, blocks };
    const block: Block = { text: heading, position: blocks[0]?.position ?? 1, kind: 'prose' };
    return { prefix: '', cost: 0, budget: most, blocks: [block, ...blocks] };
  });
}

function packOne(
  { prefix, cost, budget, blocks }: Framed,
  counts: Iterator<number>,
  units: Iterator<Unit[]>,
): Open[] {
  const pieces: Open[] = [];
  for (const block of blocks) {
    const tokens = counts.next().value ?? 0;
    const last = pieces.at(-1);
    // Neighbours are put together up to half of a passage, so that a vector stands for one thing.
    if (tokens > budget) {
      for (const piece of packUnits(units.next().value ?? [], budget)) pieces.push(piece);
    } else if (last && last.tokens + tokens <= budget / 2) {
      last.text += `${block.kind === 'prose' ? ' ' : '\n'}${block.text}`;
      last.tokens += tokens;
    } else {
      pieces.push({ text: block.text, tokens, position: block.position });
    }
  }
  return pieces.map(({ text, tokens, position }) => ({
    text: prefix + text.trim(),
    tokens: cost + tokens,
    position,
  }));
}

/** Passages of about the same length. */
function packUnits(units: readonly Unit[], budget: number): Open[] {
  const total = units.reduce((sum, { tokens }) => sum + tokens, 0);
  const aim = total / Math.ceil(total / budget);
  const pieces: Open[] = [];
  let piece: Open | undefined;
  let fresh = 0;
  units.forEach((unit, i) => {
    if (!piece || fresh >= aim || piece.tokens + unit.tokens > budget) {
      const before = piece && units[i - 1];
      const again = before?.repeats && before.tokens + unit.tokens <= budget ? before : undefined;
      piece = { text: '', tokens: 0, position: (again ?? unit).position };
      pieces.push(piece);
      fresh = 0;
      if (again) {
        piece.text = again.text;
        piece.tokens = again.tokens;
      }
    }
    piece.text += unit.text;
    piece.tokens += unit.tokens;
    fresh += unit.tokens;
  });
  return pieces;
}

/** Tokens of a whole may be more than those of its parts, by other tokenizers than of word pieces. */
async function within(most: number, packed: readonly Open[][], count: Counter): Promise<Piece[][]> {
  const doubtful = packed.flat().filter(({ tokens }) => tokens > most * kDoubtful);
  const counts = await count(doubtful.map(({ text }) => text));
  const over = new Map(doubtful.map((piece, i) => [piece as Piece, counts[i] ?? 0]));
  const fitted: Piece[][] = [];
  for (const pieces of packed) {
    const fitting: Piece[] = [];
    for (const piece of pieces) {
      const tokens = over.get(piece) ?? 0;
      const parts = tokens > most ? await halve(piece, most, count) : [piece];
      for (const { text, position } of parts) fitting.push({ text, position });
    }
    fitted.push(fitting);
  }
  return fitted;
}

/** Halves, and halves of halves, until none has too many tokens. */
async function halve({ text, position }: Piece, most: number, count: Counter): Promise<Piece[]> {
  const space = text.lastIndexOf(' ', text.length >> 1);
  const [head = '', ...rest] = runsOf(text, space > 0 ? space : text.length >> 1);
  const pieces: Piece[] = [];
  for (const half of [head.trim(), rest.join('').trim()]) {
    if (half === '') continue;
    const [tokens = 0] = await count([half]);
    const piece = { text: half, position };
    const isFit = tokens <= most || half.length >= text.length;
    for (const part of isFit ? [piece] : await halve(piece, most, count)) pieces.push(part);
  }
  return pieces;
}
