// Describes the chosen part: its sizes, and its tensors with a way to each of them in the table.

import type { TensorInfo } from 'ambry';
import { formatAmount, formatBytes, formatCount } from '../../shared/base/format.ts';
import { button, element, fillFacts } from '../../shared/dom/dom.ts';
import { shapeText } from '../tensors/tensor-rows.ts';
import { timesText } from './drawing.ts';
import type { Part } from './parts.ts';

/** The table lists the others. */
const maxTensors = 12;
const maxTypes = 6;

interface DetailActions {
  /** Shows the tensors of the part in the table. */
  readonly showAll: () => void;
  /** Shows one tensor in the table. */
  readonly show: (index: number) => void;
}

function typesText(tensors: readonly TensorInfo[]): string {
  const types = [...new Set(tensors.map(({ dtype }) => dtype))];
  return types.length <= maxTypes ? types.join(', ') : `${types.slice(0, maxTypes).join(', ')}, …`;
}

function tensorItem({ name, dtype, shape, bytes }: TensorInfo, show: () => void): HTMLLIElement {
  return element(
    'li',
    '',
    button(name, 'quiet part-tensor', show),
    element('span', 'note', `${dtype}, ${shapeText(shape)}, ${formatBytes(bytes)}`),
  );
}

export function detailView(
  part: Part,
  all: readonly TensorInfo[],
  actions: DetailActions,
): HTMLElement[] {
  const tensors = part.tensors.flatMap((index) => all[index] ?? []);
  const facts = element('dl', 'facts');
  fillFacts(facts, [
    ['Tensors', formatCount(tensors.length)],
    ['Parameters', formatCount(part.elements)],
    ['Size', `${formatBytes(part.bytes)} (${formatCount(part.bytes)} bytes)`],
    ['Types', typesText(tensors)],
  ]);
  const title = [part.title, timesText(part)].filter((text) => text !== '').join(' ');
  const shown = part.tensors.slice(0, maxTensors).flatMap((index) => {
    const tensor = all[index];
    return tensor === undefined ? [] : [tensorItem(tensor, () => actions.show(index))];
  });
  const left = tensors.length - shown.length;
  const rest = left > 0 ? [element('p', 'note', `and ${formatCount(left)} more in the table`)] : [];
  return [
    element('h4', '', title),
    facts,
    button(`Show ${formatAmount(tensors.length, 'tensor')} in the table`, '', actions.showAll),
    element('ul', 'part-tensors', ...shown),
    ...rest,
  ];
}
