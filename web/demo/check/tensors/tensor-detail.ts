// What is known of one tensor: its place, its first values, and the statistics and the histogram of its values.

import type { TensorInfo, TensorStatistics } from 'ambry';
import { formatCount } from '../../shared/base/format.ts';
import { button, element, fillFacts } from '../../shared/dom/dom.ts';
import type { CheckSource } from '../../shared/files/given-sources.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { anomaliesOf, short } from './columns.ts';
import { valueBytes, valuesOf } from './first-values.ts';
import { histogramView } from './histogram.ts';
import type { TensorRow } from './tensor-rows.ts';

const maxValues = 12;

function placeFacts({ shape, offset, bytes }: TensorInfo): (readonly [string, string])[] {
  const elements = shape.reduce((product, extent) => product * extent, 1);
  return [
    ['Elements', formatCount(elements)],
    [
      'Bytes',
      `${formatCount(bytes)}, from ${formatCount(offset)} to ${formatCount(offset + bytes)}`,
    ],
  ];
}

function valueFacts(statistics: TensorStatistics): (readonly [string, string])[] {
  const { min, max, mean, std, zeros, count, rowNorms } = statistics;
  const unusual = anomaliesOf(statistics);
  const norms = rowNorms;
  return [
    ['Values', min === null ? 'none finite' : `${short(min)} to ${short(max)}`],
    ...(mean === null ? [] : [['Mean', `${short(mean)} ± ${short(std)}`] as const]),
    ['Zeros', `${formatCount(zeros)} of ${formatCount(count)}`],
    ...(norms === null
      ? []
      : [['Lengths of rows', `${short(norms.min)} to ${short(norms.max)}`] as const]),
    ...(unusual === '' ? [] : [['Unusual', unusual] as const]),
  ];
}

function chart(statistics: TensorStatistics): HTMLElement[] {
  const { histogram } = statistics;
  if (histogram === null) {
    return [];
  }
  const { low, high } = histogram;
  const axis = element(
    'p',
    'axis',
    element('span', '', short(low)),
    element('span', '', short(high)),
  );
  return [element('div', 'chart', histogramView(histogram), axis)];
}

/** Fills in the first values when they are read. */
async function showFirstValues(
  { dtype, offset, bytes }: TensorInfo,
  source: CheckSource,
  facts: HTMLDListElement,
): Promise<void> {
  const size = valueBytes(dtype);
  if (size === null) {
    return;
  }
  const read = await readBytes(source, offset, Math.min(bytes, maxValues * size));
  const values = read === null ? [] : valuesOf(dtype, read);
  if (values.length > 0) {
    const rest = bytes > values.length * size ? ', …' : '';
    const text = element('dd', 'first-values', `${values.join(', ')}${rest}`);
    facts.append(element('dt', '', 'First values'), text);
  }
}

interface TensorActions {
  readonly source: CheckSource | null;
  /** Marks the tensor in the map and goes there. */
  readonly showInMap: () => void;
  /** Checks the values of all tensors. Null if they were checked, or cannot be. */
  readonly checkValues: (() => void) | null;
}

export function tensorDetail(
  { tensor, statistics }: TensorRow,
  actions: TensorActions,
): HTMLElement {
  const facts = element('dl', 'facts');
  fillFacts(facts, [...placeFacts(tensor), ...(statistics === null ? [] : valueFacts(statistics))]);
  if (actions.source !== null) {
    void showFirstValues(tensor, actions.source, facts);
  }
  const { checkValues } = actions;
  const buttons = [
    button('Show it in the map', '', actions.showInMap),
    ...(checkValues === null
      ? []
      : [button('Check all values to see a histogram', '', checkValues)]),
  ];
  return element(
    'div',
    'tensor-detail',
    ...(statistics === null ? [] : chart(statistics)),
    facts,
    element('div', 'actions', ...buttons),
  );
}
