// Where regions fall on lines that share the file equally.

import type { FileRegion } from 'ambry';

export interface MapBlock {
  readonly region: FileRegion;
  /** In the list of regions. */
  readonly index: number;
  readonly line: number;
  /** Part of the line, 0 to 1. */
  readonly from: number;
  readonly to: number;
}

/** One block a region and line; what passes the end of the file is left out. */
export function blocksOf(regions: readonly FileRegion[], bytes: number, lines: number): MapBlock[] {
  const share = bytes / lines;
  return regions.flatMap((region, index) => {
    const begin = Math.min(region.offset, bytes);
    const end = Math.min(region.offset + region.bytes, bytes);
    const blocks: MapBlock[] = [];
    const last = Math.min(lines - 1, Math.ceil(end / share) - 1);
    for (let line = Math.min(lines - 1, Math.floor(begin / share)); line <= last; line += 1) {
      const from = Math.max(0, begin / share - line);
      const to = Math.min(1, end / share - line);
      if (to > from) {
        blocks.push({ region, index, line, from, to });
      }
    }
    return blocks;
  });
}
