// Numbers as people read them.

const kPlain = new Intl.NumberFormat('en');
const kOneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export function formatCount(count: number): string {
  return kPlain.format(count);
}

/** Of what is not negative, two digits that matter, from a hundred on all before the point: `3.2`, `0.012`, `1,234`. */
export function formatRoughly(value: number): string {
  return value >= 99.5 ? formatCount(Math.round(value)) : String(Number(value.toPrecision(2)));
}

/** `1 passage`, `84 passages` */
export function formatAmount(count: number, noun: string): string {
  return `${kPlain.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Decimal units, as file managers and browsers count downloads. */
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
  return `${kOneDigit.format(value)} ${units[unit]}`;
}

/** A share from 0 to 1 as a percentage. */
export const formatPercent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** A cosine similarity. */
export function formatScore(score: number): string {
  return score.toFixed(3).replace('-', '−');
}
