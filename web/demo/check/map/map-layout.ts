// Lays out the regions of a file as blocks on lines. All lines stand for the same number of bytes.

import type { FileRegion } from 'ambry';

export interface MapBlock {
  readonly region: FileRegion;
  /** The index in the list of regions. */
  readonly index: number;
  /** How many regions the block stands for: neighbours of one kind that are too small to be seen alone are one block. */
  readonly count: number;
  readonly line: number;
  /** The start and end on the line, from 0 to 1. */
  readonly from: number;
  readonly to: number;
}

/** The parts of a region on the lines. Parts beyond the end of the file are left out. */
function piecesOf(region: FileRegion, index: number, bytes: number, lines: number): MapBlock[] {
  const bytesPerLine = bytes / lines;
  const begin = Math.min(region.offset, bytes);
  const end = Math.min(region.offset + region.bytes, bytes);
  const first = Math.min(lines - 1, Math.floor(begin / bytesPerLine));
  const last = Math.min(lines - 1, Math.ceil(end / bytesPerLine) - 1);
  const pieces: MapBlock[] = [];
  for (let line = first; line <= last; line += 1) {
    const from = Math.max(0, begin / bytesPerLine - line);
    const to = Math.min(1, end / bytesPerLine - line);
    if (to > from) {
      pieces.push({ region, index, count: 1, line, from, to });
    }
  }
  return pieces;
}

/** Blocks narrower than `least`, a share of a line, are joined with their neighbours of the same kind. */
export function blocksOf(
  regions: readonly FileRegion[],
  bytes: number,
  lines: number,
  least = 0,
): MapBlock[] {
  const blocks: MapBlock[] = [];
  regions.forEach((region, index) => {
    for (const piece of piecesOf(region, index, bytes, lines)) {
      const before = blocks.at(-1);
      const joins =
        before !== undefined &&
        before.line === piece.line &&
        before.region.kind === region.kind &&
        piece.to - piece.from < least &&
        before.to - before.from < least;
      if (joins) {
        blocks[blocks.length - 1] = { ...before, to: piece.to, count: before.count + 1 };
      } else {
        blocks.push(piece);
      }
    }
  });
  return blocks;
}

/** Where a byte is: the line, and the place on it from 0 to 1. Bytes beyond the end are at the end. */
export function placeOfByte(
  offset: number,
  bytes: number,
  lines: number,
): { readonly line: number; readonly at: number } {
  const share = bytes > 0 ? Math.min(1, Math.max(0, offset / bytes)) : 0;
  const line = Math.min(lines - 1, Math.floor(share * lines));
  return { line, at: share * lines - line };
}

/** The blocks that carry a label: the widest one of each region. */
export function labelledBlocks(blocks: readonly MapBlock[]): ReadonlySet<MapBlock> {
  const widest = new Map<number, MapBlock>();
  for (const block of blocks) {
    const other = widest.get(block.index);
    if (other === undefined || block.to - block.from > other.to - other.from) {
      widest.set(block.index, block);
    }
  }
  return new Set(widest.values());
}

/** Ends of names that say nothing alone. */
const commonEnd = /^(weight|bias|scale)$/;

/** The most that fits of a region's name: the whole name with its size, the name, or the end of the name. Most tensors are
 *  weights, so that is left out. */
export function labelFor(region: string, size: string, characters: number): string {
  const name = region.replace(/\.weight$/, '');
  const whole = `${name}, ${size}`;
  if (whole.length <= characters) {
    return whole;
  }
  if (name.length <= characters) {
    return name;
  }
  const words = name.split('.');
  for (let from = 1; from < words.length; from += 1) {
    const end = words.slice(from).join('.');
    if (end.length < characters && !commonEnd.test(end)) {
      return `…${end}`;
    }
  }
  return '';
}
