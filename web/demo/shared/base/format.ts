// Numbers as the pages show them.

const plainNumber = new Intl.NumberFormat('en');
const oneDigitNumber = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export function formatCount(count: number): string {
  return plainNumber.format(count);
}

/** Two significant digits, or a whole number from 100 on: `3.2`, `0.012`, `1,234`. Takes no negative numbers. */
export function formatRoughly(value: number): string {
  return value >= 99.5 ? formatCount(Math.round(value)) : String(Number(value.toPrecision(2)));
}

/** `1 passage`, `84 passages` */
export function formatAmount(count: number, noun: string): string {
  return `${plainNumber.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** In decimal units: 1 kB is 1000 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) {
    return `${bytes} B`;
  }
  const units = ['kB', 'MB', 'GB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${oneDigitNumber.format(value)} ${units[unit]}`;
}

/** A share from 0 to 1: `12.5 %` */
export const formatPercent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** A cosine similarity: `0.414` */
export function formatScore(score: number): string {
  return score.toFixed(3).replace('-', '−');
}
