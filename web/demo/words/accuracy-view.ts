// Shows how many analogies of a file the vectors answer correctly, by section.

import type { AccuracyCounts } from 'ambry';
import { formatAmount, formatCount, formatPercent, formatScore } from '../shared/base/format.ts';
import type { Store } from '../shared/base/store.ts';
import { byId, element, onFilesChosen } from '../shared/dom/dom.ts';
import { labelCells } from '../shared/dom/label-cells.ts';
import type { WordsSession } from './session/session.ts';
import type { Accuracy, WordsState } from './session/state.ts';

/** The share of correct answers among the questions that were asked. */
export function correctShare({ correct, count }: AccuracyCounts): string {
  return count === 0 ? 'none asked' : formatPercent(correct / count);
}

function rowOf(name: string, counts: AccuracyCounts): HTMLTableRowElement {
  const { correct, count, skipped, averageCosine } = counts;
  const head = element('th', 'section-name', name);
  head.scope = 'row';
  const bar = element('meter');
  bar.max = Math.max(1, count);
  bar.value = correct;
  bar.setAttribute('aria-hidden', 'true');
  const numbers = [correct, count, skipped].map((n) => element('td', 'number', formatCount(n)));
  const cosine = averageCosine === null ? '' : formatScore(averageCosine);
  return element(
    'tr',
    '',
    head,
    ...numbers,
    element('td', 'share', bar, ` ${correctShare(counts)}`),
    element('td', 'number', cosine),
  );
}

function lineOf({ name, report: { total } }: Accuracy): string {
  const questions = formatAmount(total.count, 'question');
  const skipped =
    total.skipped === 0
      ? ''
      : ` ${formatCount(total.skipped)} skipped, as the answer is not in the list of words.`;
  return `${name}: ${formatCount(total.correct)} of ${questions} correct, ${correctShare(total)}.${skipped}`;
}

export function mountAccuracyView(store: Store<WordsState>, session: WordsSession): void {
  const line = byId('accuracy-line', HTMLElement);
  const table = byId('accuracy-table', HTMLElement);
  const head = byId('accuracy-columns', HTMLTableRowElement);
  const rows = byId('accuracy-rows', HTMLTableSectionElement);
  const total = byId('accuracy-total', HTMLTableSectionElement);
  onFilesChosen(byId('questions', HTMLInputElement), ([file]) => {
    if (file !== undefined) {
      void session.measure(file.name, () => file.text());
    }
  });
  const builtIn = byId('questions-built-in', HTMLButtonElement);
  builtIn.addEventListener('click', () => void session.measureBuiltIn());
  store.watch(['accuracy'], ({ accuracy }) => {
    line.textContent = accuracy === null ? '' : lineOf(accuracy);
    table.hidden = accuracy === null;
    const { sections, total: sum } = accuracy?.report ?? { sections: [], total: null };
    rows.replaceChildren(
      ...sections.map((section) => rowOf(section.name || 'No section', section)),
    );
    total.replaceChildren(...(sum === null ? [] : [rowOf('Total', sum)]));
    for (const row of [...rows.rows, ...total.rows]) {
      labelCells(row, head);
    }
  });
}
