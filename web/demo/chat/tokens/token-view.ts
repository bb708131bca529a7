// Shows the selected token: its probability and the other likely tokens.

import { formatCount, formatPercent } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, element } from '../../shared/dom/dom.ts';
import { scoreBar } from '../../shared/dom/score-bar.ts';
import type { ChatState } from '../state/state.ts';
import { type Candidate, candidatesOf, sentenceOf, visible } from './tokens.ts';

function itemOf({ text, probability, sampled }: Candidate): HTMLLIElement {
  return element(
    'li',
    sampled ? 'sampled' : '',
    element('code', '', visible(text)),
    scoreBar(probability),
    element('span', 'score', formatPercent(probability)),
  );
}

export function mountTokenView(store: Store<ChatState>): void {
  const hint = byId('token-hint', HTMLElement);
  const box = byId('token', HTMLElement);
  const text = byId('token-text', HTMLElement);
  const list = byId('candidates', HTMLOListElement);
  const sentence = byId('token-sentence', HTMLElement);
  store.watch(['selected'], ({ selected }) => {
    hint.hidden = selected !== null;
    box.hidden = selected === null;
    sentence.textContent = selected === null ? '' : sentenceOf(selected);
    if (selected !== null) {
      const number = element('small', '', `token ${formatCount(selected.id)}`);
      text.replaceChildren(element('code', '', visible(selected.text)), ' ', number);
      list.replaceChildren(...candidatesOf(selected).map(itemOf));
    }
  });
}
