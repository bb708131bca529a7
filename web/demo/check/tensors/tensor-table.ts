// The table of tensors, with sorting and a filter. It shows its rows in parts. A row opens to show more of its tensor.

import { formatAmount, formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { button, byId, element } from '../../shared/dom/dom.ts';
import type { CheckSession } from '../session/session.ts';
import { type CheckState, selectedFile } from '../session/state.ts';
import { allColumns, type Column } from './columns.ts';
import { histogramView } from './histogram.ts';
import { tensorDetail } from './tensor-detail.ts';
import { filterRows, rowsOf, type SortKey, sortRows, type TensorRow } from './tensor-rows.ts';

/** The rows are long on a phone. */
const rowsPerPart = (): number => (matchMedia('(max-width: 56rem)').matches ? 50 : 300);

class TensorTable {
  readonly #store: Store<CheckState>;
  readonly #session: CheckSession;
  readonly #section = byId('tensors', HTMLElement);
  readonly #head = byId('tensor-columns', HTMLTableRowElement);
  readonly #body = byId('tensor-rows', HTMLTableSectionElement);
  readonly #field = byId('tensor-filter', HTMLInputElement);
  readonly #count = byId('tensor-count', HTMLElement);
  readonly #more = byId('more-tensors', HTMLButtonElement);
  readonly #part = byId('tensor-part', HTMLButtonElement);
  #all: TensorRow[] = [];
  #rows: TensorRow[] = [];
  /** The elements of the shown rows, in their order. */
  #shown: HTMLTableRowElement[] = [];
  #withStatistics = false;
  #sort: { readonly key: SortKey; readonly descending: boolean } = {
    key: 'index',
    descending: false,
  };

  constructor(store: Store<CheckState>, session: CheckSession) {
    this.#store = store;
    this.#session = session;
    this.#more.addEventListener('click', () => this.#showMore());
    this.#field.addEventListener('input', () => this.render());
    this.#part.addEventListener('click', () => {
      session.listPart(null);
      this.#field.focus();
    });
  }

  setRows(rows: TensorRow[]): void {
    this.#all = rows;
    this.#withStatistics = rows.some(({ statistics }) => statistics !== null);
    this.render();
  }

  render(): void {
    const { listed } = this.#store.state;
    const all =
      listed === null ? this.#all : listed.tensors.flatMap((index) => this.#all[index] ?? []);
    this.#rows = sortRows(
      filterRows(all, this.#field.value),
      this.#sort.key,
      this.#sort.descending,
    );
    this.#part.hidden = listed === null;
    this.#part.textContent = listed === null ? '' : `Only ${listed.title}. Show all`;
    const chart = this.#withStatistics ? [element('th', '', 'Histogram')] : [];
    this.#head.replaceChildren(
      ...this.#columns().map((column) => this.#headCell(column)),
      ...chart,
    );
    this.#count.textContent =
      this.#rows.length === this.#all.length
        ? formatAmount(this.#all.length, 'tensor')
        : `${formatCount(this.#rows.length)} of ${formatAmount(this.#all.length, 'tensor')}`;
    this.#body.replaceChildren();
    this.#shown = [];
    this.#showMore();
  }

  mark(): void {
    const { marked: indices, listed } = this.#store.state;
    // A mark on every row would tell nothing.
    const marked = new Set(indices === listed?.tensors && indices.length > 1 ? [] : indices);
    this.#shown.forEach((row, at) => {
      row.classList.toggle('chosen', marked.has(this.#rows[at]?.index ?? -1));
    });
  }

  /** Shows more rows until the tensor is there, and moves the focus to it. Null: to the beginning. */
  goTo(tensor: number | null): void {
    const at = this.#rows.findIndex(({ index }) => index === tensor);
    while (at >= this.#shown.length) {
      this.#showMore();
    }
    const row = this.#shown[at];
    const target = row ?? this.#section;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: row === undefined ? 'start' : 'center' });
  }

  #columns(): readonly Column[] {
    return allColumns.filter((column) => column.statistic !== true || this.#withStatistics);
  }

  #headCell({ key, title, numeric }: Column): HTMLTableCellElement {
    const active = this.#sort.key === key;
    const cell = element('th', numeric ? 'number' : '');
    cell.scope = 'col';
    const order = this.#sort.descending ? 'descending' : 'ascending';
    cell.setAttribute('aria-sort', active ? order : 'none');
    const sort = button(title, 'quiet', () => {
      this.#sort = { key, descending: active && !this.#sort.descending };
      this.render();
      // The new head has new buttons.
      this.#head.querySelector<HTMLElement>(`[data-sort="${key}"]`)?.focus();
    });
    sort.dataset['sort'] = key;
    cell.append(sort);
    return cell;
  }

  #showMore(): void {
    const from = this.#shown.length;
    const made = this.#rows.slice(from, from + rowsPerPart()).map((row) => this.#rowView(row));
    this.#shown.push(...made);
    this.#body.append(...made);
    this.mark();
    const left = this.#rows.length - this.#shown.length;
    this.#more.hidden = left === 0;
    this.#more.textContent = `Show more (${formatCount(left)} left)`;
  }

  #rowView(row: TensorRow): HTMLTableRowElement {
    const made = element('tr', '');
    const cells = this.#columns().map((column) => {
      const cell = element('td', column.key === 'name' ? 'name' : column.numeric ? 'number' : '');
      cell.classList.toggle('anomalies', column.key === 'anomalies');
      cell.dataset['label'] = column.title;
      cell.append(column.key === 'name' ? this.#opener(row, made) : column.text(row));
      return cell;
    });
    made.append(...cells);
    if (this.#withStatistics) {
      const histogram = row.statistics?.histogram ?? null;
      const chart = element(
        'td',
        'chart',
        ...(histogram === null ? [] : [histogramView(histogram)]),
      );
      made.append(chart);
    }
    return made;
  }

  /** The name as a button, which opens and closes the row. */
  #opener(row: TensorRow, view: HTMLTableRowElement): HTMLButtonElement {
    const { name } = row.tensor;
    const opener = button(name === '' ? '(no name)' : name, 'quiet', () => {
      const open = opener.getAttribute('aria-expanded') === 'true';
      opener.setAttribute('aria-expanded', String(!open));
      if (open) {
        view.nextElementSibling?.remove();
      } else {
        view.after(this.#detailRow(row));
      }
    });
    opener.setAttribute('aria-expanded', 'false');
    return opener;
  }

  #detailRow(row: TensorRow): HTMLTableRowElement {
    const file = selectedFile(this.#store.state);
    const canCheck =
      row.statistics === null && !this.#withStatistics && file?.report?.valid === true;
    const detail = tensorDetail(row, {
      source: file?.inspected ?? null,
      showInMap: () => {
        this.#session.pickTensor(row.index);
        byId('map', HTMLElement).scrollIntoView({ block: 'start' });
      },
      checkValues: canCheck ? () => void this.#session.checkDeeper('values') : null,
    });
    const cell = element('td', '', detail);
    cell.colSpan = this.#head.childElementCount;
    return element('tr', 'detail-row', cell);
  }
}

export function mountTensorTable(store: Store<CheckState>, session: CheckSession): void {
  const section = byId('tensors', HTMLElement);
  const table = new TensorTable(store, session);
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
    table.setRows(inspection === null ? [] : rowsOf(inspection, file?.report ?? null));
  });
  store.watch(['listed'], () => table.render());
  store.watch(['marked'], () => table.mark());
  store.watch(['goal'], ({ goal }) => {
    if (goal !== null) {
      table.goTo(goal.tensor);
    }
  });
}
