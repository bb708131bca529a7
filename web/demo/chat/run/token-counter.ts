// Counts what the text or the conversation takes of the context. A newer count replaces an older one.

import type { Store } from '../../shared/base/store.ts';
import type { ChatState } from '../state/state.ts';
import { chatUse, textUse } from './context-use.ts';

export class TokenCounter {
  readonly #store: Store<ChatState>;
  #counting = new AbortController();

  constructor(store: Store<ChatState>) {
    this.#store = store;
  }

  /** Counts the turns on the page together with the text that is being typed. */
  async count(draft: string): Promise<void> {
    this.#counting.abort();
    this.#counting = new AbortController();
    const { signal } = this.#counting;
    const { loaded, mode, system, turns, stop } = this.#store.state;
    if (loaded === null || stop !== null) {
      return;
    }
    try {
      const { model } = loaded;
      const used =
        mode === 'text'
          ? await textUse(model, draft)
          : await chatUse(model, { system, turns, draft }, signal);
      if (!signal.aborted) {
        this.#store.update({ used });
      }
    } catch {
      // Sending the text shows the same error.
    }
  }

  /** After an answer. A text is known to the token, and a chat is counted as its next message finds it. */
  countAnswer(): void {
    const { mode, outcome } = this.#store.state;
    if (mode === 'chat') {
      void this.count('');
    } else if (outcome !== null && outcome.ids.length > 0) {
      this.#counting.abort();
      this.#store.update({ used: { system: 0, history: outcome.ids.length, draft: 0 } });
    }
  }
}
