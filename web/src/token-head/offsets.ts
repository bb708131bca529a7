// Offsets in UTF-16 units, as strings of JavaScript count, and in code points, as Python counts.

/** What offsets count. The first is the default. */
export const offsetUnits = ['utf16', 'codePoints'] as const;
export type OffsetUnit = (typeof offsetUnits)[number];

/** Gives the offset in code points of an offset in UTF-16 units. Half a pair counts as a code point where it stands alone. */
export function codePointsOf(text: string): (offset: number) => number {
  const pairs = Array.from(text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g), ({ index }) => index);
  return (offset) => offset - countBelow(pairs, offset);
}

/** How many of the numbers are smaller. They are in ascending order. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
