// Cuts blocks that are so long that their sentences and words would fill the memory.
import type { Block, PositionMark } from '../sections/section.ts';

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
  if (limit >= text.length) return text.length;
  for (const sign of ['\n', '. ', ' ']) {
    const end = text.lastIndexOf(sign, limit - sign.length) + sign.length;
    if (end > at + most / 2) return end;
  }
  const isPair = (text.charCodeAt(limit) & 0xfc00) === 0xdc00;
  return isPair ? limit - 1 : limit;
}

/** The place of each part, from the first to the last. */
type Places = (at: number, end: number) => Pick<Block, 'position' | 'marks'>;

function markedPlaces(marks: readonly PositionMark[]): Places {
  let next = 0;
  return (at, end) => {
    while ((marks[next + 1]?.at ?? Infinity) <= at) next++;
    const position = marks[next]?.position ?? 1;
    const inside: PositionMark[] = [{ at: 0, position }];
    for (let mark = marks[++next]; mark && mark.at < end; mark = marks[++next]) {
      inside.push({ at: mark.at - at, position: mark.position });
    }
    next--;
    return { position, marks: inside };
  };
}

/** A block without marks counts its lines. */
function countedPlaces({ text, kind, position: first }: Block): Places {
  let position = first;
  return (at, end) => {
    const begin = position;
    for (let line = text.indexOf('\n', at); line >= 0 && line < end; ) {
      if (kind === 'lines') position++;
      line = text.indexOf('\n', line + 1);
    }
    return { position: begin };
  };
}
