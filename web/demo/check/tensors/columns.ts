// The columns of the table of tensors.

import type { TensorStatistics } from 'ambry';
import { formatAmount, formatBytes, formatCount } from '../../shared/base/format.ts';
import { type SortKey, shapeText, type TensorRow } from './tensor-rows.ts';

export interface Column {
  readonly key: SortKey;
  readonly title: string;
  readonly numeric: boolean;
  /** Shown once the values were checked. */
  readonly statistic?: true;
  readonly text: (row: TensorRow) => string;
}

export const short = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(Number(value.toPrecision(4)));

const statistic = (key: 'min' | 'max' | 'mean' | 'std', title: string): Column => ({
  key,
  title,
  numeric: true,
  statistic: true,
  text: ({ statistics }) => short(statistics?.[key]),
});

/** Unusual values, such as NaN. */
export function anomaliesOf({ nan, infinite, zeroRows, denormals }: TensorStatistics): string {
  const parts: string[] = [];
  if (nan > 0) {
    parts.push(`${formatCount(nan)} NaN`);
  }
  if (infinite > 0) {
    parts.push(`${formatCount(infinite)} infinite`);
  }
  if (zeroRows > 0) {
    parts.push(`${formatAmount(zeroRows, 'row')} of zeros`);
  }
  if (denormals > 0) {
    parts.push(formatAmount(denormals, 'denormal'));
  }
  return parts.join(', ');
}

export const allColumns: readonly Column[] = [
  { key: 'name', title: 'Name', numeric: false, text: ({ tensor }) => tensor.name },
  { key: 'dtype', title: 'Type', numeric: false, text: ({ tensor }) => tensor.dtype },
  { key: 'shape', title: 'Shape', numeric: true, text: ({ tensor }) => shapeText(tensor.shape) },
  {
    key: 'offset',
    title: 'Offset',
    numeric: true,
    text: ({ tensor }) => formatCount(tensor.offset),
  },
  { key: 'bytes', title: 'Size', numeric: true, text: ({ tensor }) => formatBytes(tensor.bytes) },
  statistic('min', 'Min'),
  statistic('max', 'Max'),
  statistic('mean', 'Mean'),
  statistic('std', 'Std. dev.'),
  {
    key: 'anomalies',
    title: 'Unusual',
    numeric: false,
    statistic: true,
    text: ({ statistics }) => (statistics === null ? '' : anomaliesOf(statistics)),
  },
];
