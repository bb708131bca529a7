// Lays out the regions of a file as blocks on lines. All lines stand for the same number of bytes.

import type { FileRegion } from 'ambry';

export interface MapBlock {
  readonly region: FileRegion;
  /** The index in the list of regions. */
  readonly index: number;
  readonly line: number;
  /** The start and end on the line, from 0 to 1. */
  readonly from: number;
  readonly to: number;
}

/** One block for each region and line. Parts beyond the end of the file are left out. */
export function blocksOf(regions: readonly FileRegion[], bytes: number, lines: number): MapBlock[] {
  const bytesPerLine = bytes / lines;
  return regions.flatMap((region, index) => {
    const begin = Math.min(region.offset, bytes);
    const end = Math.min(region.offset + region.bytes, bytes);
    const blocks: MapBlock[] = [];
    const last = Math.min(lines - 1, Math.ceil(end / bytesPerLine) - 1);
    for (
      let line = Math.min(lines - 1, Math.floor(begin / bytesPerLine));
      line <= last;
      line += 1
    ) {
      const from = Math.max(0, begin / bytesPerLine - line);
      const to = Math.min(1, end / bytesPerLine - line);
      if (to > from) {
        blocks.push({ region, index, line, from, to });
      }
    }
    return blocks;
  });
}
