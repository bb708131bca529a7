// Shows what the user typed and what the model wrote.

import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import type { PageSession } from '../session/session.ts';
import type { ChatState } from '../state/state.ts';
import { mountTokenSelection } from '../tokens/token-spans.ts';
import { TurnView } from './turn-view.ts';

/** The page follows the end of a conversation while the end is in view: pixels. */
const nearEnd = 48;
/** Between what is shown and the edge of the window: pixels. */
const margin = 16;

const showsTokens = ({ mode, view }: ChatState): boolean => mode === 'text' || view === 'tokens';

function labelOf(state: ChatState): string {
  const what = state.mode === 'text' ? 'Written text' : 'Conversation';
  return showsTokens(state) ? `${what}: the arrow keys move from token to token` : what;
}

export function mountTurnsView(store: Store<ChatState>, session: PageSession): void {
  const host = byId('turns', HTMLElement);
  const tint = byId('tint', HTMLInputElement);
  const readOut = byId('read-out', HTMLElement);
  const views: TurnView[] = [];

  const viewAt = (i: number, state: ChatState): TurnView => {
    const turn = state.turns[i] as ChatState['turns'][number];
    const current = views[i];
    if (current?.fits(turn)) {
      return current;
    }
    const made = new TurnView(turn, {
      regenerate: () => void session.regenerate(),
      edit: (text) => session.edit(i, text),
    });
    if (current === undefined) {
      host.append(made.element);
    } else {
      current.element.replaceWith(made.element);
    }
    views[i] = made;
    return made;
  };

  // What is below the last answer ends a conversation. The field lies over the lowest part of the window.
  const end = byId('after', HTMLElement);
  const dock = byId('dock', HTMLElement);
  const hiddenBelow = (): number =>
    end.getBoundingClientRect().bottom - dock.getBoundingClientRect().top;
  const isEndInView = (): boolean => hiddenBelow() < nearEnd;
  const showEnd = (): void => {
    const hidden = hiddenBelow() + margin;
    if (hidden > margin) {
      scrollBy(0, hidden);
    }
  };
  /** When a text begins to be written, the page shows its beginning. The focus stays where it is. */
  const showBeginning = ({ turns, stop }: ChatState): void => {
    const { top } = host.getBoundingClientRect();
    if (stop !== null && turns.length === 1 && (top < 0 || top > innerHeight / 2)) {
      scrollBy(0, top - margin);
    }
  };

  const showTurns = (state: ChatState): void => {
    const { turns, mode, stop } = state;
    const follows = isEndInView();
    turns.forEach((turn, i) => {
      viewAt(i, state).show(turn, {
        asTokens: showsTokens(state),
        isLast: i === turns.length - 1,
        isBusy: stop !== null,
        isChat: mode === 'chat',
      });
    });
    for (const { element } of views.splice(turns.length)) {
      element.remove();
    }
    host.hidden = turns.length === 0;
    if (mode === 'text') {
      showBeginning(state);
    } else if (follows || (stop !== null && turns.at(-1)?.from === 'user')) {
      showEnd();
    }
  };

  mountTokenSelection(host, store);
  tint.addEventListener('change', () => host.classList.toggle('plain', !tint.checked));
  store.watch(['turns', 'view', 'mode', 'stop'], showTurns);
  store.watch(['view', 'mode'], (state) => {
    host.dataset['mode'] = state.mode;
    host.setAttribute('aria-label', labelOf(state));
  });
  // Screen readers get the whole text once it is complete.
  store.watch(['outcome'], ({ outcome, turns }) => {
    readOut.textContent = outcome === null ? '' : (turns.at(-1)?.text ?? '');
  });
}
