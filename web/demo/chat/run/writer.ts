// What the model is asked to write: a text that goes on, the answer to a message, or another answer.

import type { AnswerFormat } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import { FormError, formatOf } from '../state/answer-form.ts';
import { optionsOf, randomSeed } from '../state/settings.ts';
import type { ChatState, Turn } from '../state/state.ts';
import type { Answering, Writing } from './answering.ts';
import { KeptSession } from './kept-session.ts';
import { messagesOf } from './messages.ts';

const userTurn = (text: string): Turn => ({ from: 'user', text, tokens: [] });

/** What an earlier visit has of an answer. */
interface Earlier {
  readonly resumeIds?: readonly number[];
  readonly interrupted?: Turn | undefined;
}

/** The methods return false if nothing was begun: there is no model, or the form of the answer is wrong. */
export class Writer {
  readonly #store: Store<ChatState>;
  readonly #answering: Answering;
  readonly #kept = new KeptSession();
  readonly #onDone: () => void;

  /** `onDone` is called after every answer. */
  constructor(store: Store<ChatState>, answering: Answering, onDone: () => void) {
    this.#store = store;
    this.#answering = answering;
    this.#onDone = onDone;
  }

  /** Continues a text, or answers a chat message. */
  submit(text: string): boolean {
    const { mode, turns } = this.#store.state;
    return mode === 'text' ? this.writeText(text) : this.#answer(turns, text);
  }

  writeText(text: string): boolean {
    const format = this.#format();
    if (format === null) {
      return false;
    }
    const options = this.#options(format);
    return this.#write({
      turns: [userTurn(text)],
      begin:
        ({ model }) =>
        (signal) =>
          model.generate(text, { ...options, signal }),
    });
  }

  /** Answers the last message again. */
  regenerate(): boolean {
    const { turns } = this.#store.state;
    const asked = turns.findLastIndex(({ from }) => from === 'user');
    return asked >= 0 && this.edit(asked, turns[asked]?.text ?? '');
  }

  /** Sends another text instead of the message at `index`. What followed it is gone. */
  edit(index: number, text: string): boolean {
    return this.#answer(this.#store.state.turns.slice(0, index), text);
  }

  /** Continues after the last token. A chat goes on in the same answer. */
  continueText(): boolean {
    const { outcome, turns, mode } = this.#store.state;
    if (outcome === null || outcome.ids.length === 0) {
      return false;
    }
    const options = optionsOf(this.#store.state.sampling);
    const last = mode === 'chat' ? turns.at(-1) : undefined;
    return this.#write({
      turns: last === undefined ? turns : turns.slice(0, -1),
      ...(last !== undefined && { begun: last }),
      begin:
        ({ model }) =>
        (signal) =>
          model.generate(outcome.ids, { ...options, signal }),
    });
  }

  /** Goes on with the answer of an earlier visit, with the seed and the settings that it began with. */
  resume(): boolean {
    const { interrupted, loaded, turns, mode, stop, sampling } = this.#store.state;
    const asked = turns.findLastIndex(({ from }) => from === 'user');
    const isReady = mode === 'chat' && stop === null && asked >= 0;
    if (interrupted === null || !isReady || loaded === null) {
      return false;
    }
    if (loaded.name !== interrupted.model) {
      const notice = `The last answer was interrupted. It goes on when you open ${interrupted.model}.`;
      this.#store.update({ notice });
      return false;
    }
    this.#store.update({ interrupted: null });
    const { newSeed } = sampling;
    this.#store.update({ sampling: { ...sampling, newSeed: false } });
    const isBegun = this.#answer(turns.slice(0, asked), turns[asked]?.text ?? '', {
      resumeIds: interrupted.ids,
      interrupted: turns[asked + 1],
    });
    this.#store.update({ sampling: { ...this.#store.state.sampling, newSeed } });
    return isBegun;
  }

  #answer(before: readonly Turn[], text: string, earlier: Earlier = {}): boolean {
    const format = this.#format();
    if (format === null) {
      return false;
    }
    const { resumeIds, interrupted } = earlier;
    const options = { ...this.#options(format), ...(resumeIds && { resumeIds }) };
    const { system, trim } = this.#store.state;
    const messages = messagesOf(
      system,
      before.at(-1)?.from === 'user' ? before.slice(0, -1) : before,
    );
    return this.#write({
      turns: [...before, userTurn(text)],
      interrupted,
      begin:
        ({ model }) =>
        async (signal) => {
          const session = await this.#kept.at({ model, messages, trim });
          return session.send(text, { ...options, signal });
        },
    });
  }

  #write(writing: Writing): boolean {
    if (this.#store.state.loaded === null) {
      return false;
    }
    void this.#answering.write(writing).then(this.#onDone);
    return true;
  }

  #options(format: { readonly format?: AnswerFormat }) {
    const { sampling } = this.#store.state;
    const seed = sampling.newSeed ? randomSeed() : sampling.seed;
    this.#store.update({ sampling: { ...sampling, seed } });
    return optionsOf({ ...sampling, seed }, format.format);
  }

  /** The form of the answer; null if it is wrong. The page then says so at its field. */
  #format(): { readonly format?: AnswerFormat } | null {
    try {
      const format = formatOf(this.#store.state.form);
      return format === undefined ? {} : { format };
    } catch (error) {
      if (!(error instanceof FormError)) {
        throw error;
      }
      this.#store.update({ formProblem: error.message });
      return null;
    }
  }
}
