// Formats values and tables for people.
import type { Problem } from '../../entries/types.ts';

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 2 : 1)} ${units[unit]}`;
}

/** `12,345` */
export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** `1 tensor`, `2 tensors` */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `40 s`, `2:05`, `1:02:05` */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) {
    return `${whole} s`;
  }
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts
    .slice(parts[0] === 0 ? 1 : 0)
    .map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0')))
    .join(':');
}

/** Aligns cells in columns. `rightAligned` holds the indices of columns that are aligned to the right. */
export function table(
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, i) =>
        rightAligned.includes(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** The bytes around a problem, 16 in a line after their address. The faulty byte is in brackets. */
export function hexDump({ byteOffset, context }: Problem): string[] {
  if (!context) {
    return [];
  }
  const bytes = context.hex.match(/../g) ?? [];
  const lines: string[] = [];
  for (let row = 0; row < bytes.length; row += 16) {
    const cells = bytes.slice(row, row + 16).map((byte, i) => {
      return context.offset + row + i === byteOffset ? `[${byte}]` : ` ${byte} `;
    });
    const address = (context.offset + row).toString(16).padStart(8, '0');
    lines.push(`${address} ${cells.join('').trimEnd()}`);
  }
  return lines;
}

/** Rounds an f32 to the fewest decimal digits that read back as the same f32. */
export function shortFloat(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) {
      return short;
    }
  }
  return Number(value.toPrecision(9));
}
