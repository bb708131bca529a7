// Cuts blocks that are so long that their sentences and words would fill the memory.
import type { Block, PositionMarks } from './section.ts';

/** Blocks of so many code units are counted and cut together. More would fill the memory with their words. */
export const maxBatchUnits = 1 << 19;

/** Cuts a block of more than `most` code units at a line, else after a sentence, else at a space, else anywhere. */
export function* shortBlocks(block: Block, most: number): Generator<Block> {
  const { text, kind } = block;
  if (text.length <= most) {
    yield block;
    return;
  }
  const places = block.marks ? markedPlaces(block.marks) : countedPlaces(block);
  for (let at = 0; at < text.length; ) {
    const end = endOf(text, at, most);
    yield { text: text.slice(at, end), kind, ...places(at, end) };
    at = end;
  }
}

function endOf(text: string, at: number, most: number): number {
  const limit = at + most;
  if (limit >= text.length) {
    return text.length;
  }
  const half = at + Math.floor(most / 2);
  for (const sign of ['\n', '. ', ' ']) {
    // Only the second half is searched. Without the sign, the whole text before would be.
    const from = Math.max(at, half + 1 - sign.length);
    const found = text.slice(from, limit).lastIndexOf(sign);
    if (found >= 0 && from + found + sign.length > half) {
      return from + found + sign.length;
    }
  }
  const isPair = (text.charCodeAt(limit) & 0xfc00) === 0xdc00;
  return isPair ? limit - 1 : limit;
}

/** The place of each part, from the first to the last. */
type Places = (at: number, end: number) => Pick<Block, 'position' | 'marks'>;

function markedPlaces({ ats, positions }: PositionMarks): Places {
  let next = 0;
  return (at, end) => {
    while ((ats[next + 1] ?? Infinity) <= at) {
      next++;
    }
    const position = positions[next] ?? 1;
    const first = next + 1;
    while ((ats[next + 1] ?? Infinity) < end) {
      next++;
    }
    const marks = {
      ats: [0, ...ats.slice(first, next + 1).map((each) => each - at)],
      positions: [position, ...positions.slice(first, next + 1)],
    };
    return { position, marks };
  };
}

/** A block without marks counts its lines. */
function countedPlaces({ text, kind, position: first }: Block): Places {
  let position = first;
  return (at, end) => {
    const begin = position;
    for (let line = text.indexOf('\n', at); line >= 0 && line < end; ) {
      if (kind === 'lines') {
        position++;
      }
      line = text.indexOf('\n', line + 1);
    }
    return { position: begin };
  };
}
