// Filters and sorts the rows of the tensor table.

import type { Inspection, TensorInfo, TensorStatistics, ValidationReport } from 'ambry';

export interface TensorRow {
  /** The position in the file. */
  readonly index: number;
  readonly tensor: TensorInfo;
  readonly statistics: TensorStatistics | null;
}

export type SortKey =
  | 'index'
  | 'name'
  | 'dtype'
  | 'shape'
  | 'offset'
  | 'bytes'
  | 'min'
  | 'max'
  | 'mean'
  | 'std'
  | 'anomalies';

export function rowsOf(inspection: Inspection, report: ValidationReport | null): TensorRow[] {
  const statistics = report?.statistics;
  return inspection.tensors.map((tensor, index) => ({
    index,
    tensor,
    statistics: statistics?.[index] ?? null,
  }));
}

export const shapeText = (shape: readonly number[]): string =>
  shape.length === 0 ? 'scalar' : shape.join(' × ');

/** Each word of the filter must be in the name, the type or the shape. */
export function filterRows(rows: readonly TensorRow[], filter: string): TensorRow[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.filter(({ tensor }) => {
    const text = `${tensor.name} ${tensor.dtype} ${shapeText(tensor.shape)} ${tensor.shape.join('x')}`;
    return words.every((word) => text.toLowerCase().includes(word));
  });
}

function sortValue({ index, tensor, statistics }: TensorRow, key: SortKey): number | string {
  switch (key) {
    case 'index':
      return index;
    case 'name':
      return tensor.name;
    case 'dtype':
      return tensor.dtype;
    case 'shape':
      return tensor.shape.reduce((product, extent) => product * extent, 1);
    case 'offset':
      return tensor.offset;
    case 'bytes':
      return tensor.bytes;
    case 'anomalies':
      return statistics === null
        ? -1
        : statistics.nan + statistics.infinite + statistics.zeroRows + statistics.denormals;
    default:
      return statistics?.[key] ?? Number.NEGATIVE_INFINITY;
  }
}

const nameCollator = new Intl.Collator('en', { numeric: true });

/** Equal rows stay in the order of the file. */
export function sortRows(
  rows: readonly TensorRow[],
  key: SortKey,
  descending: boolean,
): TensorRow[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const left = sortValue(a, key);
    const right = sortValue(b, key);
    const order =
      typeof left === 'string' || typeof right === 'string'
        ? nameCollator.compare(String(left), String(right))
        : Math.sign(left - right) || 0;
    return sign * order || a.index - b.index;
  });
}
