// The table of time per layer, with a bar for each variant.

import { formatAmount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, element } from '../../shared/dom/dom.ts';
import { scoreBar } from '../../shared/dom/score-bar.ts';
import type { ClassifyState } from '../state/state.ts';
import { type Spread, spreadOf, type Timing, timeOf } from '../state/timing.ts';
import { variantName } from './names.ts';
import type { PictureSession } from './picture-session.ts';

const milliseconds = (value: number): string => value.toFixed(value < 10 ? 3 : 1);

function timeCell(value: number, max: number): HTMLTableCellElement {
  return element(
    'td',
    'time',
    scoreBar(max > 0 ? value / max : 0),
    element('span', 'number', milliseconds(value)),
  );
}

/** The median with the middle half of the samples. */
function totalCell({ median, low, high }: Spread, max: number): HTMLTableCellElement {
  const cell = timeCell(median, max);
  cell.append(element('small', 'spread', `${milliseconds(low)} to ${milliseconds(high)}`));
  return cell;
}

function rowHead(text: string, shape = ''): HTMLTableCellElement {
  const head = element('th', '', text, element('small', '', shape));
  head.scope = 'row';
  return head;
}

function rowsOf(timings: readonly Timing[]): HTMLTableRowElement[] {
  const longest = timings.reduce((a, b) => (b.layers.length > a.layers.length ? b : a));
  const all = longest.layers.map((_, i) => timings.map((timing) => timeOf(timing, i)));
  const max = Math.max(...all.flat());
  return longest.layers.map(({ op, shape }, i) =>
    element(
      'tr',
      '',
      rowHead(op, shape.join(' × ')),
      ...(all[i] ?? []).map((time) => timeCell(time, max)),
    ),
  );
}

function totalOf(timings: readonly Timing[]): HTMLTableRowElement {
  const all = timings.map(({ totals }) => spreadOf(totals));
  const max = Math.max(...all.map(({ median }) => median));
  return element('tr', '', rowHead('Total'), ...all.map((spread) => totalCell(spread, max)));
}

export function mountLayersView(store: Store<ClassifyState>, session: PictureSession): void {
  const section = byId('layers', HTMLElement);
  const head = byId('layers-head', HTMLTableRowElement);
  const rows = byId('layers-rows', HTMLTableSectionElement);
  const total = byId('layers-total', HTMLTableSectionElement);
  const line = byId('layers-line', HTMLElement);
  const fixed = [...head.children];

  const measure = byId('measure', HTMLButtonElement);
  measure.addEventListener('click', () => void session.measure());
  store.watch(['picture', 'job'], ({ picture, job }) => {
    measure.disabled = picture === null || job !== null;
  });
  store.watch(['timings', 'network'], ({ timings, network }) => {
    const timed = timings.filter(({ runs }) => runs > 0);
    section.hidden = timed.length === 0;
    if (timed.length === 0) {
      return;
    }
    const names = network?.variants.map(({ kind }) => `${variantName(kind)}, ms`) ?? [];
    head.replaceChildren(
      ...fixed,
      ...names.map((name) => {
        const cell = element('th', '', name);
        cell.scope = 'col';
        return cell;
      }),
    );
    rows.replaceChildren(...rowsOf(timed));
    total.replaceChildren(totalOf(timed));
    line.textContent = `Milliseconds per layer: the median of ${formatAmount(timed[0]?.totals.length ?? 0, 'sample')}, from ${formatAmount(timed[0]?.runs ?? 0, 'warm run')}. The total also has the middle half of its samples.`;
  });
}
