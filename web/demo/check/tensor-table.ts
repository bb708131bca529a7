// The table of tensors, with sorting and a filter. It shows its rows in parts.

import type { TensorStatistics } from 'ambry';
import { button, byId, element } from '../shared/dom.ts';
import { formatAmount, formatBytes, formatCount } from '../shared/format.ts';
import type { Store } from '../shared/store.ts';
import { histogramView } from './histogram.ts';
import type { CheckSession } from './session.ts';
import { type CheckState, selectedFile } from './state.ts';
import {
  filterRows,
  rowsOf,
  type SortKey,
  shapeText,
  sortRows,
  type TensorRow,
} from './tensor-rows.ts';

const rowsPerPart = 300;

interface Column {
  readonly key: SortKey;
  readonly title: string;
  readonly numeric: boolean;
  readonly statistic?: true;
  readonly text: (row: TensorRow) => string;
}

const short = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(Number(value.toPrecision(4)));

const statistic = (key: 'min' | 'max' | 'mean' | 'std', title: string): Column => ({
  key,
  title,
  numeric: true,
  statistic: true,
  text: ({ statistics }) => short(statistics?.[key]),
});

const allColumns: readonly Column[] = [
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
];

/** Describes unusual values, such as NaN. */
function anomaliesOf({ nan, infinite, zeroRows, denormals }: TensorStatistics): string {
  const parts: string[] = [];
  if (nan > 0) parts.push(`${formatCount(nan)} NaN`);
  if (infinite > 0) parts.push(`${formatCount(infinite)} infinite`);
  if (zeroRows > 0) parts.push(`${formatAmount(zeroRows, 'row')} of zeros`);
  if (denormals > 0) parts.push(formatAmount(denormals, 'denormal'));
  return parts.join(', ');
}

function rowView(row: TensorRow, columns: readonly Column[], withStatistics: boolean): HTMLElement {
  const cells = columns.map((column) => {
    const cell = element('td', column.numeric ? 'number' : '', column.text(row));
    if (column.key === 'name') {
      cell.className = 'name';
    }
    return cell;
  });
  const made = element('tr', '', ...cells);
  made.dataset['tensor'] = String(row.index);
  if (withStatistics) {
    const { statistics } = row;
    const histogram = statistics?.histogram ?? null;
    const chart = element('td', '');
    if (histogram !== null) chart.append(histogramView(histogram));
    made.append(
      chart,
      element('td', 'anomalies', statistics === null ? '' : anomaliesOf(statistics)),
    );
  }
  return made;
}

export function mountTensorTable(store: Store<CheckState>, session: CheckSession): void {
  const section = byId('tensors', HTMLElement);
  const head = byId('tensor-columns', HTMLTableRowElement);
  const body = byId('tensor-rows', HTMLTableSectionElement);
  const field = byId('tensor-filter', HTMLInputElement);
  const count = byId('tensor-count', HTMLElement);
  const more = byId('more-tensors', HTMLButtonElement);
  const part = byId('tensor-part', HTMLButtonElement);
  let all: TensorRow[] = [];
  let rows: TensorRow[] = [];
  let sort: { key: SortKey; descending: boolean } = { key: 'index', descending: false };

  const withStatistics = (): boolean => all.some(({ statistics }) => statistics !== null);
  const columns = (): readonly Column[] =>
    allColumns.filter((column) => column.statistic !== true || withStatistics());

  const showMore = (): void => {
    const from = body.childElementCount;
    const shown = columns();
    const statistics = withStatistics();
    body.append(
      ...rows.slice(from, from + rowsPerPart).map((row) => rowView(row, shown, statistics)),
    );
    const left = rows.length - body.childElementCount;
    markRows();
    more.hidden = left === 0;
    more.textContent = `Show more (${formatCount(left)} left)`;
  };
  const headCell = (column: Column): HTMLTableCellElement => {
    const cell = element('th', column.numeric ? 'number' : '');
    cell.scope = 'col';
    const active = sort.key === column.key;
    cell.setAttribute(
      'aria-sort',
      active ? (sort.descending ? 'descending' : 'ascending') : 'none',
    );
    cell.append(
      button(column.title, 'quiet', () => {
        sort = { key: column.key, descending: active && !sort.descending };
        render();
      }),
    );
    return cell;
  };
  const markRows = (): void => {
    const marked = new Set(store.state.marked.map(String));
    for (const row of body.children) {
      const index = row instanceof HTMLElement ? (row.dataset['tensor'] ?? '') : '';
      row.classList.toggle('chosen', marked.has(index));
    }
  };
  const listedRows = (): TensorRow[] => {
    const { listed } = store.state;
    return listed === null ? all : listed.tensors.flatMap((index) => all[index] ?? []);
  };
  const render = (): void => {
    rows = sortRows(filterRows(listedRows(), field.value), sort.key, sort.descending);
    const { listed } = store.state;
    part.hidden = listed === null;
    part.textContent = listed === null ? '' : `Only ${listed.title}. Show all`;
    const extra = withStatistics()
      ? ['Histogram', 'Anomalies'].map((text) => element('th', '', text))
      : [];
    head.replaceChildren(...columns().map(headCell), ...extra);
    count.textContent =
      rows.length === all.length
        ? formatAmount(all.length, 'tensor')
        : `${formatCount(rows.length)} of ${formatAmount(all.length, 'tensor')}`;
    body.replaceChildren();
    showMore();
  };
  /** Shows more rows until the tensor is there, and moves the focus to it. */
  const goTo = (tensor: number | null): void => {
    const at = rows.findIndex(({ index }) => index === tensor);
    while (at >= body.childElementCount) showMore();
    const row = at < 0 ? undefined : body.children[at];
    const target = row instanceof HTMLElement ? row : section;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: target === section ? 'start' : 'center' });
  };
  more.addEventListener('click', showMore);
  part.addEventListener('click', () => {
    session.listPart(null);
    field.focus();
  });
  field.addEventListener('input', render);
  let shown: readonly unknown[] = [];
  store.watch(['files', 'selected'], (state) => {
    const file = selectedFile(state);
    const inspection = file?.inspection ?? null;
    const statistics = file?.report?.statistics;
    section.hidden = inspection === null || inspection.tensors.length === 0;
    if (inspection === shown[0] && statistics === shown[1]) {
      return;
    }
    shown = [inspection, statistics];
    all = inspection === null ? [] : rowsOf(inspection, file?.report ?? null);
    render();
  });
  store.watch(['listed'], render);
  store.watch(['marked'], markRows);
  store.watch(['goal'], ({ goal }) => {
    if (goal !== null) goTo(goal.tensor);
  });
}
