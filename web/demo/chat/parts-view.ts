// The text: what somebody typed, and what the model wrote token by token. A token is looked at by pointing at it
// or, with the text focused, by the arrow keys. The text itself stays plain, for those who have it read to them.

import type { GeneratedToken } from 'ambry';
import { byId, element } from '../shared/dom.ts';
import type { Store } from '../shared/store.ts';
import type { ChatState, Part } from './state.ts';

const kWho = { person: 'You', model: 'Model' } as const;

/** Tokens by the elements that show them. */
const tokenOf = new WeakMap<Element, GeneratedToken>();

function spanOf(token: GeneratedToken): HTMLSpanElement {
  const span = element('span', 'token', token.text);
  span.style.setProperty('--surprise', String(1 - (token.probability ?? 1)));
  tokenOf.set(span, token);
  return span;
}

function partElement(part: Part): HTMLElement {
  const words = part.from === 'person' ? [part.text] : part.tokens.map(spanOf);
  return element(
    'div',
    `part ${part.from}`,
    element('p', 'who', kWho[part.from]),
    element('p', 'words', ...words),
  );
}

/** A part that has only grown gets the tokens that it lacks, so that a long text stays fast. */
function grow(shown: HTMLElement, before: Part, part: Part): void {
  const words = shown.querySelector('.words');
  words?.append(...part.tokens.slice(before.tokens.length).map(spanOf));
}

const isLonger = (before: Part | undefined, part: Part): before is Part =>
  before !== undefined &&
  before.from === 'model' &&
  part.tokens.length > before.tokens.length &&
  before.tokens.every((token, i) => token === part.tokens[i]);

function mountKeys(host: HTMLElement, look: (span: Element | undefined) => void): void {
  host.addEventListener('keydown', (event) => {
    const spans = [...host.querySelectorAll('.token')];
    const at = spans.findIndex((span) => span.classList.contains('looked'));
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: Math.min(spans.length - 1, at + 1),
      ArrowLeft: Math.max(0, at - 1),
      Home: 0,
      End: spans.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      look(spans[to]);
    }
  });
}

export function mountPartsView(store: Store<ChatState>): void {
  const host = byId('parts', HTMLElement);
  const tint = byId('tint', HTMLInputElement);
  const readOut = byId('read-out', HTMLElement);
  let shown: readonly Part[] = [];

  const lookAway = (): void => {
    host.querySelector('.looked')?.classList.remove('looked');
    store.update({ looked: null });
  };
  const look = (span: Element | null | undefined): void => {
    const token = span && tokenOf.get(span);
    if (token && token !== store.state.looked) {
      lookAway();
      span.classList.add('looked');
      store.update({ looked: token });
    }
  };
  const spanAt = ({ target }: Event): Element | null =>
    target instanceof Element ? target.closest('.token') : null;
  host.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'mouse') {
      look(spanAt(event));
    }
  });
  // A finger does not hover: it takes a token up, and lets it go with a second tap.
  host.addEventListener('click', (event) => {
    const span = spanAt(event);
    if (event instanceof PointerEvent && event.pointerType !== 'mouse') {
      if (span?.classList.contains('looked')) {
        lookAway();
      } else {
        look(span);
      }
    }
  });
  host.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') {
      lookAway();
    }
  });
  mountKeys(host, look);
  tint.addEventListener('change', () => host.classList.toggle('plain', !tint.checked));

  store.watch(['parts'], ({ parts }) => {
    parts.forEach((part, i) => {
      const before = shown[i];
      const there = host.children[i];
      if (before === part) {
        return;
      }
      if (there instanceof HTMLElement && isLonger(before, part)) {
        grow(there, before, part);
      } else if (there === undefined) {
        host.append(partElement(part));
      } else {
        there.replaceWith(partElement(part));
      }
    });
    for (const rest of [...host.children].slice(parts.length)) {
      rest.remove();
    }
    shown = parts;
    host.hidden = parts.length === 0;
    host.scrollTop = host.scrollHeight;
  });
  store.watch(['mode'], ({ mode }) => {
    host.dataset['mode'] = mode;
  });
  // Said once, when it is whole; a word at a time nobody could follow.
  store.watch(['outcome'], ({ outcome, parts }) => {
    readOut.textContent = outcome === null ? '' : (parts.at(-1)?.text ?? '');
  });
}
