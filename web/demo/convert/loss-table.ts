// The error of each converted tensor, largest first.

import type { TensorChange } from 'ambry';
import { byId, element } from '../shared/dom.ts';
import { formatAmount, formatBytes, formatCount, formatRoughly } from '../shared/format.ts';
import type { Store } from '../shared/store.ts';
import type { ConvertState } from './state.ts';

const rowsPerPart = 100;

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
  const body = byId('tensor-rows', HTMLTableSectionElement);
  const more = byId('more-tensors', HTMLButtonElement);
  let rows: TensorChange[] = [];
  let shown = 0;

  const showMore = (): void => {
    const max = Math.max(...rows.map(({ relativeError }) => relativeError ?? 0));
    body.append(...rows.slice(shown, shown + rowsPerPart).map((tensor) => rowOf(tensor, max)));
    shown = Math.min(shown + rowsPerPart, rows.length);
    more.hidden = shown === rows.length;
    more.textContent = `Show more (${formatCount(rows.length - shown)} left)`;
  };
  more.addEventListener('click', showMore);

  store.watch(['outcome'], ({ outcome }) => {
    const tensors = outcome?.report?.tensors ?? [];
    const changed = tensors.filter(({ maxAbsError }) => maxAbsError > 0).length;
    section.hidden = tensors.length === 0;
    note.textContent =
      changed === 0
        ? 'No value changed.'
        : `${formatAmount(changed, 'tensor')} of ${formatCount(tensors.length)} changed. The largest errors come first.`;
    body.replaceChildren();
    rows = byLoss(tensors);
    shown = 0;
    showMore();
  });
}
