// What somebody types: the beginning of a text, or a message; with examples of both.

import { latest } from '../shared/debounce.ts';
import { button, byId } from '../shared/dom.ts';
import type { Store } from '../shared/store.ts';
import { examples, firstBeginning } from './built-in.ts';
import type { ChatSession } from './session.ts';
import type { ChatState, Mode } from './state.ts';

const kPauseMs = 200;

const kWords: Readonly<Record<Mode, { readonly label: string; readonly act: string }>> = {
  text: { label: 'Beginning', act: 'Write' },
  chat: { label: 'Your message', act: 'Send' },
};

function mountModes(store: Store<ChatState>, session: ChatSession): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>('input[name="mode"]')];
  for (const choice of choices) {
    choice.addEventListener('change', () => session.choose(choice.value as Mode));
  }
  store.watch(['mode', 'loaded'], ({ mode, loaded }) => {
    for (const choice of choices) {
      choice.checked = choice.value === mode;
      choice.disabled = choice.value === 'chat' && loaded?.generator.chatTemplate === null;
      const why = choice.disabled ? 'This model has no template for conversations.' : '';
      choice.parentElement?.setAttribute('title', why);
    }
  });
}

export function mountDraftView(store: Store<ChatState>, session: ChatSession): void {
  const form = byId('draft-form', HTMLFormElement);
  const draft = byId('draft', HTMLTextAreaElement);
  const label = byId('draft-label', HTMLLabelElement);
  const submit = byId('submit', HTMLButtonElement);
  const chips = byId('examples', HTMLElement);
  const measuring = latest<string>(kPauseMs, (text) => session.measure(text));

  const send = (): void => {
    const text = draft.value;
    if (store.state.mode === 'chat') {
      draft.value = '';
    }
    void session.submit(text);
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
  draft.addEventListener('input', () => measuring.request(draft.value));
  draft.addEventListener('keydown', (event) => {
    // In a conversation Enter sends, as people know it; a text may have lines.
    const sends = store.state.mode === 'chat' ? !event.shiftKey : event.ctrlKey || event.metaKey;
    if (event.key === 'Enter' && sends && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  mountModes(store, session);
  store.watch(['mode'], ({ mode }) => {
    label.textContent = kWords[mode].label;
    submit.textContent = kWords[mode].act;
    draft.value = mode === 'text' ? firstBeginning : '';
    chips.replaceChildren(...examples[mode].map(chipOf));
  });
  store.watch(['loaded', 'stop'], ({ loaded, stop }) => {
    submit.disabled = loaded === null || stop !== null;
    chips.inert = loaded === null || stop !== null;
  });
}
