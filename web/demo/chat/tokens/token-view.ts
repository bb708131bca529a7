// Shows the selected token: its probability and the other likely tokens. Until one is selected, the most surprising one is the example.

import { formatCount, formatPercent } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, element } from '../../shared/dom/dom.ts';
import { scoreBar } from '../../shared/dom/score-bar.ts';
import type { ChatState } from '../state/state.ts';
import { type Candidate, candidatesOf, mostSurprising, sentenceOf, visible } from './tokens.ts';

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
  const panel = byId('token-panel', HTMLElement);
  const hint = byId('token-hint', HTMLElement);
  const box = byId('token', HTMLElement);
  const text = byId('token-text', HTMLElement);
  const list = byId('candidates', HTMLOListElement);
  const sentence = byId('token-sentence', HTMLElement);
  store.watch(['selected', 'turns', 'stop'], ({ selected, turns, stop }) => {
    const example = stop === null ? mostSurprising(turns.at(-1)?.tokens ?? []) : null;
    const shown = selected ?? example;
    hint.hidden = selected !== null;
    box.hidden = shown === null;
    panel.classList.toggle('selected', selected !== null);
    sentence.textContent = selected === null ? '' : sentenceOf(selected);
    if (shown !== null) {
      const why = selected === null ? ', the least likely here' : '';
      const number = element('small', '', `token ${formatCount(shown.id)}${why}`);
      text.replaceChildren(element('code', '', visible(shown.text)), ' ', number);
      list.replaceChildren(...candidatesOf(shown).map(itemOf));
    }
  });
}
