// The tokens of the answers as elements. The user selects one by pointing at it, or with the arrow keys while the text has
// the focus. The tokens have no roles, so that screen readers read plain text.

import type { GeneratedToken } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import { element } from '../../shared/dom/dom.ts';
import type { ChatState } from '../state/state.ts';

/** The token that each element shows. */
const tokenOf = new WeakMap<Element, GeneratedToken>();

export function spanOf(token: GeneratedToken): HTMLSpanElement {
  const span = element('span', 'token', token.text || (token.reasoning ?? ''));
  span.style.setProperty('--surprise', String(1 - (token.probability ?? 1)));
  tokenOf.set(span, token);
  return span;
}

/** Calls `select` with the token that a key leads to. Keys of buttons and fields within the text are theirs. */
function mountKeys(
  host: HTMLElement,
  select: (span: Element | undefined) => void,
  deselect: () => void,
): void {
  host.addEventListener('keydown', (event) => {
    if (event.target !== host) {
      return;
    }
    const spans = [...host.querySelectorAll('.token')];
    const at = spans.findIndex((span) => span.classList.contains('selected'));
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: Math.min(spans.length - 1, at + 1),
      ArrowLeft: Math.max(0, at - 1),
      Home: 0,
      End: spans.length - 1,
    };
    const to = steps[event.key];
    if (event.key === 'Escape') {
      deselect();
    } else if (to !== undefined && spans.length > 0) {
      event.preventDefault();
      select(spans[to]);
    }
  });
}

export function mountTokenSelection(host: HTMLElement, store: Store<ChatState>): void {
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
  mountKeys(host, select, deselect);
}
