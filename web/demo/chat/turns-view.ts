// Shows what the user typed and what the model wrote. The user selects a token by pointing at it, or with the arrow keys
// while the text has the focus. The tokens have no roles, so that screen readers read plain text.

import type { GeneratedToken } from 'ambry';
import { byId, element } from '../shared/dom.ts';
import type { Store } from '../shared/store.ts';
import type { ChatState, Turn } from './state.ts';

const speakers = { user: 'You', model: 'Model' } as const;

/** The token that each element shows. */
const tokenOf = new WeakMap<Element, GeneratedToken>();

function spanOf(token: GeneratedToken): HTMLSpanElement {
  const span = element('span', 'token', token.text);
  span.style.setProperty('--surprise', String(1 - (token.probability ?? 1)));
  tokenOf.set(span, token);
  return span;
}

function turnElement(turn: Turn): HTMLElement {
  const content = turn.from === 'user' ? [turn.text] : turn.tokens.map(spanOf);
  return element(
    'div',
    `turn ${turn.from}`,
    element('p', 'speaker', speakers[turn.from]),
    element('p', 'turn-text', ...content),
  );
}

/** Appends only the new tokens, so that long texts stay fast. */
function appendTokens(shown: HTMLElement, before: Turn, turn: Turn): void {
  const text = shown.querySelector('.turn-text');
  text?.append(...turn.tokens.slice(before.tokens.length).map(spanOf));
}

const isLonger = (before: Turn | undefined, turn: Turn): before is Turn =>
  before !== undefined &&
  before.from === 'model' &&
  turn.tokens.length > before.tokens.length &&
  before.tokens.every((token, i) => token === turn.tokens[i]);

function mountKeys(host: HTMLElement, select: (span: Element | undefined) => void): void {
  host.addEventListener('keydown', (event) => {
    const spans = [...host.querySelectorAll('.token')];
    const at = spans.findIndex((span) => span.classList.contains('selected'));
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: Math.min(spans.length - 1, at + 1),
      ArrowLeft: Math.max(0, at - 1),
      Home: 0,
      End: spans.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      select(spans[to]);
    }
  });
}

export function mountTurnsView(store: Store<ChatState>): void {
  const host = byId('turns', HTMLElement);
  const tint = byId('tint', HTMLInputElement);
  const readOut = byId('read-out', HTMLElement);
  let shown: readonly Turn[] = [];

  const deselect = (): void => {
    host.querySelector('.selected')?.classList.remove('selected');
    store.update({ selected: null });
  };
  const select = (span: Element | null | undefined): void => {
    const token = span && tokenOf.get(span);
    if (token && token !== store.state.selected) {
      deselect();
      span.classList.add('selected');
      store.update({ selected: token });
    }
  };
  const spanAt = ({ target }: Event): Element | null =>
    target instanceof Element ? target.closest('.token') : null;
  host.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'mouse') {
      select(spanAt(event));
    }
  });
  // On a touch screen a tap selects a token, and a second tap deselects it.
  host.addEventListener('click', (event) => {
    const span = spanAt(event);
    if (event instanceof PointerEvent && event.pointerType !== 'mouse') {
      if (span?.classList.contains('selected')) {
        deselect();
      } else {
        select(span);
      }
    }
  });
  host.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') {
      deselect();
    }
  });
  mountKeys(host, select);
  tint.addEventListener('change', () => host.classList.toggle('plain', !tint.checked));

  store.watch(['turns'], ({ turns }) => {
    turns.forEach((turn, i) => {
      const before = shown[i];
      const current = host.children[i];
      if (before === turn) {
        return;
      }
      if (current instanceof HTMLElement && isLonger(before, turn)) {
        appendTokens(current, before, turn);
      } else if (current === undefined) {
        host.append(turnElement(turn));
      } else {
        current.replaceWith(turnElement(turn));
      }
    });
    for (const rest of [...host.children].slice(turns.length)) {
      rest.remove();
    }
    shown = turns;
    host.hidden = turns.length === 0;
    host.scrollTop = host.scrollHeight;
  });
  store.watch(['mode'], ({ mode }) => {
    host.dataset['mode'] = mode;
  });
  // Screen readers get the whole text once it is complete.
  store.watch(['outcome'], ({ outcome, turns }) => {
    readOut.textContent = outcome === null ? '' : (turns.at(-1)?.text ?? '');
  });
}
