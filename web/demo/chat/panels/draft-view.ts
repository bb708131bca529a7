// The text field for the beginning of a text or for a message, with examples.

import { debounced } from '../../shared/base/debounce.ts';
import type { Store } from '../../shared/base/store.ts';
import { button, byId } from '../../shared/dom/dom.ts';
import { examplesFor, firstPrompt } from '../model/built-in.ts';
import type { PageSession } from '../session/session.ts';
import type { ChatState, Mode } from '../state/state.ts';

const typingPauseMs = 200;

const labels: Readonly<Record<Mode, { readonly field: string; readonly button: string }>> = {
  text: { field: 'Beginning of the text', button: 'Write' },
  chat: { field: 'Your message', button: 'Send' },
};

/** While the model answers, a message waits in the field. A text is begun anew at once. */
const canSend = ({ loaded, stop, mode }: ChatState): boolean =>
  loaded !== null && (stop === null || mode === 'text');

/** Returns a function that puts a text into the field. */
export function mountDraftView(
  store: Store<ChatState>,
  session: PageSession,
): (text: string) => void {
  const form = byId('draft-form', HTMLFormElement);
  const draft = byId('draft', HTMLTextAreaElement);
  const label = byId('draft-label', HTMLLabelElement);
  const submit = byId('submit', HTMLButtonElement);
  const chips = byId('examples', HTMLElement);
  const counting = debounced<string>(typingPauseMs, (text) => session.countTokens(text));

  const send = (): void => {
    // The field keeps a message that was not sent.
    if (canSend(store.state) && session.submit(draft.value) && store.state.mode === 'chat') {
      draft.value = '';
      counting.requestNow('');
    }
  };
  const chipOf = (text: string): HTMLButtonElement =>
    button(text, '', () => {
      draft.value = text;
      send();
    });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  draft.addEventListener('input', () => counting.request(draft.value));
  draft.addEventListener('keydown', (event) => {
    // Enter sends a chat message. In a text it starts a new line, and Ctrl+Enter writes.
    const sends = store.state.mode === 'chat' ? !event.shiftKey : event.ctrlKey || event.metaKey;
    if (event.key === 'Enter' && sends && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    } else if (event.key === 'Escape') {
      store.state.stop?.();
    }
  });
  store.watch(['mode'], ({ mode }) => {
    label.textContent = labels[mode].field;
    submit.textContent = labels[mode].button;
    draft.value = mode === 'text' ? firstPrompt : '';
  });
  store.watch(['mode', 'loaded'], ({ mode, loaded }) => {
    chips.replaceChildren(...examplesFor(mode, loaded).map(chipOf));
  });
  store.watch(['loaded', 'stop'], ({ loaded, stop }) => {
    submit.disabled = loaded === null || stop !== null;
    chips.inert = loaded === null || stop !== null;
  });
  // Examples begin a conversation. Later they would only be in the way.
  store.watch(['mode', 'turns'], ({ mode, turns }) => {
    chips.hidden = mode === 'chat' && turns.length > 0;
  });
  return (text) => {
    draft.value = text || (store.state.mode === 'text' ? firstPrompt : '');
    counting.requestNow(draft.value);
  };
}
