// The labels of the text that is typed: a sentence about the best one, and a bar for each.

import { formatPercent } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import { ListFold } from '../../shared/dom/list-fold.ts';
import type { ClassifyState, LabelPart } from '../state/state.ts';
import { labelRow } from './label-list.ts';
import { labelNames } from './label-names.ts';
import type { TextSession } from './text-session.ts';

/** So many labels of a longer list are shown at first. */
const firstLabels = 10;

/** What the page says of the answer. */
export function sentenceOf({ typed, loaded, answer }: LabelPart): string {
  if (typed.trim() === '') {
    return 'Type a text to see its labels.';
  }
  if (loaded === null || answer === null) {
    return '';
  }
  const [best] = answer.found;
  if (best === undefined) {
    return 'The model knows nothing of this text, so it has no labels.';
  }
  const name = labelNames(loaded.model.labels)(best.label);
  return `${name}, ${formatPercent(Math.min(1, best.score))} sure.`;
}

export function mountLabelsView(store: Store<ClassifyState>, session: TextSession): void {
  const sentence = byId('text-answer', HTMLElement);
  const list = byId('text-labels', HTMLOListElement);
  const count = byId('label-count', HTMLSelectElement);
  const render = (): void => {
    const { loaded, answer } = store.state.text;
    const nameOf = labelNames(loaded?.model.labels ?? []);
    const rows = fold.take(answer?.found ?? []).map((one) => labelRow(one, nameOf));
    list.replaceChildren(...rows);
  };
  const fold = new ListFold(list, { first: firstLabels, noun: 'labels', render });
  count.addEventListener('change', () => void session.setLabelCount(Number(count.value)));
  store.watch(['labelCount'], ({ labelCount }) => {
    count.value = String(labelCount);
    fold.close();
  });
  store.watch(['text'], ({ text }) => {
    sentence.textContent = sentenceOf(text);
    render();
  });
}
