// The error of each converted tensor, largest first.

import type { TensorChange } from 'ambry';
import { formatAmount, formatBytes, formatCount, formatRoughly } from '../shared/base/format.ts';
import type { Store } from '../shared/base/store.ts';
import { byId, element } from '../shared/dom/dom.ts';
import { labelCells } from '../shared/dom/label-cells.ts';
import { ListFold } from '../shared/dom/list-fold.ts';
import type { ConvertState } from './state.ts';

const lossOf = ({ relativeError }: TensorChange): number =>
  relativeError ?? Number.POSITIVE_INFINITY;

/** Tensors with equal errors stay in the order of the file. */
export function byLoss(tensors: readonly TensorChange[]): TensorChange[] {
  return [...tensors].sort((a, b) => Math.sign(lossOf(b) - lossOf(a)) || 0);
}

function lossCell(tensor: TensorChange, max: number): HTMLElement {
  const cell = element('td', 'loss');
  const { relativeError } = tensor;
  if (relativeError === null) {
    cell.append('was zero');
    return cell;
  }
  if (relativeError === 0) {
    cell.append('none');
    return cell;
  }
  const bar = element('meter');
  bar.max = max;
  bar.value = relativeError;
  bar.setAttribute('aria-hidden', 'true');
  cell.append(bar, ` ${formatRoughly(100 * relativeError)} %`);
  return cell;
}

function rowOf(tensor: TensorChange, max: number): HTMLTableRowElement {
  const { name, from, to, bytesBefore, bytes, maxAbsError, cosine } = tensor;
  const size =
    bytesBefore === bytes
      ? formatBytes(bytes)
      : `${formatBytes(bytesBefore)} → ${formatBytes(bytes)}`;
  return element(
    'tr',
    '',
    element('td', 'name', name),
    element('td', '', from === to ? to : `${from} → ${to}`),
    element('td', 'number', bytesBefore === 0 ? formatBytes(bytes) : size),
    lossCell(tensor, max),
    element('td', 'number', maxAbsError === 0 ? '0' : maxAbsError.toPrecision(3)),
    element('td', 'number', cosine.toFixed(6)),
  );
}

export function mountLossTable(store: Store<ConvertState>): void {
  const section = byId('tensors', HTMLElement);
  const note = byId('tensors-note', HTMLElement);
  const head = byId('tensor-columns', HTMLTableRowElement);
  const body = byId('tensor-rows', HTMLTableSectionElement);
  let tensors: readonly TensorChange[] = [];

  const show = (): void => {
    const max = Math.max(...tensors.map(({ relativeError }) => relativeError ?? 0));
    const rows = fold.take(tensors).map((tensor) => rowOf(tensor, max));
    for (const row of rows) {
      labelCells(row, head);
    }
    body.replaceChildren(...rows);
  };
  const table = byId('tensors-table', HTMLTableElement);
  const fold = new ListFold(table, { first: 20, noun: 'tensors', render: show });

  store.watch(['outcome'], ({ outcome }) => {
    const all = outcome?.report?.tensors ?? [];
    const changed = all.filter(({ maxAbsError }) => maxAbsError > 0).length;
    section.hidden = all.length === 0;
    note.textContent =
      changed === 0
        ? 'No value changed.'
        : `${formatAmount(changed, 'tensor')} of ${formatCount(all.length)} changed. The largest errors come first.`;
    tensors = byLoss(all);
    fold.close();
    show();
  });
}
