// The text with its names marked, and a list of them.

import type { Aggregation, TextEntity } from 'ambry';
import { formatAmount, formatPercent } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, element } from '../../shared/dom/dom.ts';
import { ListFold } from '../../shared/dom/list-fold.ts';
import { scoreBar } from '../../shared/dom/score-bar.ts';
import type { ClassifyState, NamePart } from '../state/state.ts';
import { kindsOf, piecesOf, plainLabel } from './marks.ts';
import type { TextSession } from './text-session.ts';

/** So many names of a longer list are shown at first. */
const firstNames = 50;
/** There are so many colours; further kinds use them again. */
const colours = 6;

/** What the page says of the answer. */
export function sentenceOf({ typed, loaded, answer }: NamePart): string {
  if (typed.trim() === '') {
    return 'Type a text to find the names in it.';
  }
  if (loaded === null || answer === null) {
    return '';
  }
  return answer.found.length === 0
    ? 'No names were found.'
    : `${formatAmount(answer.found.length, 'name')} found.`;
}

type ColourOf = (label: string) => string;

function coloursOf(labels: readonly string[]): ColourOf {
  const kinds = kindsOf(labels);
  return (label) => `kind-${(Math.max(0, kinds.indexOf(plainLabel(label))) % colours) + 1}`;
}

function markOf(entity: TextEntity, colourOf: ColourOf): HTMLElement {
  const { text, label, score } = entity;
  const about = element('small', '', `${label} ${Math.round(100 * score)} %`);
  return element('mark', `entity ${colourOf(label)}`, text, about);
}

function rowOf({ text, label, score }: TextEntity, colourOf: ColourOf): HTMLLIElement {
  return element(
    'li',
    '',
    element('span', `entity-kind ${colourOf(label)}`, label),
    element('span', 'entity-text', text),
    scoreBar(score),
    element('span', 'score', formatPercent(score)),
  );
}

function mountSettings(store: Store<ClassifyState>, session: TextSession): void {
  const aggregation = byId('aggregation', HTMLSelectElement);
  const threshold = byId('least-score', HTMLSelectElement);
  aggregation.addEventListener('change', () => {
    void session.setNameSettings({ aggregation: aggregation.value as Aggregation });
  });
  threshold.addEventListener('change', () => {
    void session.setNameSettings({ threshold: Number(threshold.value) });
  });
  store.watch(['nameSettings'], ({ nameSettings }) => {
    aggregation.value = nameSettings.aggregation;
    threshold.value = String(nameSettings.threshold);
  });
}

export function mountNamesView(store: Store<ClassifyState>, session: TextSession): void {
  const sentence = byId('names-answer', HTMLElement);
  const marked = byId('marked', HTMLElement);
  const list = byId('entities', HTMLOListElement);
  const render = (): void => {
    const { loaded, answer } = store.state.names;
    const colourOf = coloursOf(loaded?.model.labels ?? []);
    const found = answer?.found ?? [];
    const pieces = answer === null ? [] : piecesOf(answer.text, found);
    marked.replaceChildren(
      ...pieces.map(({ text, entity }) => (entity ? markOf(entity, colourOf) : text)),
    );
    list.replaceChildren(...fold.take(found).map((one) => rowOf(one, colourOf)));
  };
  const fold = new ListFold(list, { first: firstNames, noun: 'names', render });
  mountSettings(store, session);
  store.watch(['names'], ({ names }) => {
    sentence.textContent = sentenceOf(names);
    render();
  });
}
