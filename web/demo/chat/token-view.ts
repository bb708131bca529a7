// The token that is pointed at: how likely it was, and what else could have stood there.

import { byId, element } from '../shared/dom.ts';
import { formatCount, formatPercent } from '../shared/format.ts';
import type { Store } from '../shared/store.ts';
import type { ChatState } from './state.ts';
import { type Chance, chancesOf, sentenceOf, visible } from './tokens.ts';

function itemOf({ text, probability, drawn }: Chance): HTMLLIElement {
  const bar = element('span', 'bar');
  bar.style.setProperty('--score', String(probability));
  bar.setAttribute('aria-hidden', 'true');
  return element(
    'li',
    drawn ? 'drawn' : '',
    element('code', '', visible(text)),
    bar,
    element('span', 'score', formatPercent(probability)),
  );
}

export function mountTokenView(store: Store<ChatState>): void {
  const hint = byId('token-hint', HTMLElement);
  const box = byId('token', HTMLElement);
  const text = byId('token-text', HTMLElement);
  const list = byId('chances', HTMLOListElement);
  const said = byId('token-said', HTMLElement);
  store.watch(['looked'], ({ looked }) => {
    hint.hidden = looked !== null;
    box.hidden = looked === null;
    said.textContent = looked === null ? '' : sentenceOf(looked);
    if (looked !== null) {
      const number = element('small', '', `token ${formatCount(looked.id)}`);
      text.replaceChildren(element('code', '', visible(looked.text)), ' ', number);
      list.replaceChildren(...chancesOf(looked).map(itemOf));
    }
  });
}
