// A conversation with a language model, on the caller's side. The worker keeps the keys and values of its tokens.
// What has been said is here, so a send that fails changes nothing.
/// <reference lib="esnext.disposable" preserve="true" />

import { checkMethods } from '../base/call.ts';
import { AmbryError } from '../base/errors.ts';
import { findWrongOption, type Kind } from '../base/kinds.ts';
import { refuse, refuseUnknown } from '../base/options.ts';
import type { Channel } from '../rpc/channel.ts';
import type { JobOptions } from '../rpc/types.ts';
import { Answer, randomSeed } from './answer.ts';
import { checkMessages } from './base/check-messages.ts';
import type { Journal } from './base/journal-types.ts';
import { restoreOptionNames, sendOptionNames, sessionOptionNames } from './base/option-names.ts';
import type { GeneratorCalls, WirePrompt } from './base/protocol.ts';
import type {
  ChatMessage,
  ContextUse,
  Generation,
  GenerationRun,
  Reply,
  RestoreOptions,
  SendOptions,
  SessionOptions,
} from './base/types.ts';
import {
  type ConversationState,
  type DroppedRange,
  rewound,
  withAnswer,
} from './journal/conversation.ts';
import { readJournal } from './journal/records.ts';
import { SessionJournal } from './journal/session-journal.ts';
import type { PromptModel } from './prepared-prompt.ts';
import type { ReplyPlan } from './reply-plan.ts';
import { readNote, writeNote } from './session-note.ts';
import {
  checkNames,
  checkOneAnswer,
  optionsOfSession,
  type SessionSettings,
  settingsOfSession,
  toolsOf,
} from './session-options.ts';
import { fitted, roomFor } from './session-trim.ts';

/** What a session needs of its model. */
export interface SessionModel extends PromptModel {
  readonly channel: Channel<GeneratorCalls>;
  /** Tokens that fit. */
  readonly context: number;
  /** Runs the work when all earlier calls have ended. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/** What a send adds when its answer has ended. */
interface Draft {
  readonly said: ChatMessage;
  readonly range: DroppedRange;
  readonly dropped: readonly ChatMessage[];
}

/** What a session begins with. */
interface Beginning extends ConversationState {
  /** The number in the worker, if it has one. */
  readonly id?: number;
  readonly journal?: SessionJournal;
}

/**
 * A conversation that computes only what is new. `model.session()` makes one.
 *
 * @example
 * const chat = model.session({ system: 'Be brief.' });
 * for await (const { text } of chat.send('What is a tide?')) write(text);
 *
 * @example
 * const [question] = await chat.rewind(2); // the last question and its answer
 * chat.send(question); // another answer
 *
 * @example
 * const folder = await navigator.storage.getDirectory();
 * const file = await folder.getFileHandle('chat', { create: true });
 * const writer = await file.createWritable();
 * await writer.write(await chat.save());
 * await writer.close();
 * const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer());
 * const again = await model.restoreSession(bytes);
 *
 * @example
 * const kept = await model.resumeSession(openJournal('tides'), { system: 'Be brief.' });
 * for await (const { text } of kept.resume() ?? []) write(text); // after a reload: the answer that was interrupted
 */
export class ChatSession {
  readonly #model: SessionModel;
  readonly #settings: SessionSettings;
  #state: ConversationState;
  readonly #journal: SessionJournal;
  /** The number of the session in the worker, from its first call on. */
  #id: number | undefined;
  readonly #running = new Set<Answer<Reply>>();
  #isDisposed = false;

  private constructor(
    model: SessionModel,
    settings: SessionSettings,
    { id, journal = new SessionJournal(), ...state }: Beginning,
  ) {
    this.#model = model;
    this.#settings = settings;
    this.#state = state;
    this.#id = id;
    this.#journal = journal;
  }

  /** @internal */
  static create(model: SessionModel, options: SessionOptions): ChatSession {
    checkNames(options);
    const { system, messages = [], journal, ...rest } = options;
    const settings = settingsOfSession(rest);
    if (system !== undefined && typeof system !== 'string') {
      const message = `Must be a text, not ${typeof system}.`;
      throw new AmbryError('BadValue', message, { path: 'options.system' });
    }
    const first = system === undefined ? [] : [{ role: 'system', content: system }];
    const said = [...first, ...checkMessages(messages)];
    const header = () => ({ settings: optionsOfSession(settings), messages: said });
    const kept = new SessionJournal(journal, header);
    return new ChatSession(model, settings, { messages: said, turns: [], journal: kept });
  }

  /** @internal */
  static resume(
    model: SessionModel,
    journal: Journal,
    options: SessionOptions,
  ): Promise<ChatSession> {
    return model.inTurn(async () => {
      await refuseUnknown({ ...options, journal }, sessionOptionNames);
      const kept = readJournal(await journal.read());
      if (!kept) {
        return ChatSession.create(model, { ...options, journal });
      }
      const { settings, unfinished, isCut, ...state } = kept;
      checkNames(settings);
      const { system: _, messages: __, ...changed } = options;
      const merged = settingsOfSession({ ...settings, ...changed });
      return new ChatSession(model, merged, {
        ...state,
        journal: SessionJournal.read(journal, { unfinished, isCut }),
      });
    });
  }

  /** @internal */
  static restore(
    model: SessionModel,
    bytes: Uint8Array,
    options: RestoreOptions,
  ): Promise<ChatSession> {
    return model.inTurn(async () => {
      await refuseUnknown(options, restoreOptionNames);
      if (!(bytes instanceof Uint8Array)) {
        const message = 'A saved session is a Uint8Array.';
        throw new AmbryError('BadValue', message, { path: 'bytes' });
      }
      const { channel } = model;
      const { session, note } = await channel.call('restoreSession', { bytes });
      try {
        const { settings, messages, turns } = readNote(note);
        const merged = settingsOfSession({ ...settings, ...options });
        return new ChatSession(model, merged, { messages, turns, id: session });
      } catch (error) {
        await channel.call('closeSession', { session });
        throw error;
      }
    });
  }

  /** What has been said, without messages that `trim` dropped. An answer is all that the model wrote, with its reasoning
   *  and its calls of tools. */
  get messages(): readonly ChatMessage[] {
    return [...this.#state.messages];
  }

  /** The tokens of the conversation after its latest answer, 0 before the first one, and those that fit. */
  get context(): ContextUse {
    return { used: this.#state.turns.at(-1)?.tokens ?? 0, total: this.#model.context };
  }

  /**
   * Answers a message of the user, as `generate` does. When the answer has ended, the message and the answer are part of
   * the conversation; of an answer that is stopped, so are its tokens so far. After a send that fails or is stopped
   * before its first token, the session is as it was. What a tool returns is a message, too.
   *
   * Rejects as `generate` does, with `LimitExceeded` at `prompt` when the context is full, and with `Cancelled` when the
   * session was disposed of.
   *
   * @example
   * const chat = model.session({ tools });
   * const { toolCalls } = await chat.send('Is it cold?').result;
   * for (const { name } of toolCalls) chat.send({ role: 'tool', name, content: '-3 degrees' });
   */
  send(message: string | ChatMessage, options: SendOptions = {}): GenerationRun<Reply> {
    return this.#answer(message, options);
  }

  /**
   * Goes on with the answer that was interrupted when the page or the process of the journal ended; null if there is none. The
   * run begins with the first token again, and gives the same tokens as without the interruption. Those that the journal has come fast: up
   * to 63 are computed at once.
   *
   * Rejects as `send` does, and with `Mismatch` at `options.resumeIds…` where the model is not the same. The answer stays in the
   * journal then.
   *
   * @example
   * const chat = await model.resumeSession(openJournal('tides'));
   * for await (const { text } of chat.resume() ?? []) write(text);
   */
  resume(options: JobOptions = {}): GenerationRun<Reply> | null {
    const { unfinished } = this.#journal;
    if (!unfinished) {
      return null;
    }
    return this.#answer(unfinished.message, { ...unfinished.options, ...options }, unfinished.ids);
  }

  #answer(
    message: string | ChatMessage,
    options: SendOptions,
    resumeIds?: readonly number[],
  ): GenerationRun<Reply> {
    const wrong = findWrongOption(options, sendOptionNames);
    const { tools, toolChoice, ...given } = wrong ? ({} as SendOptions) : options;
    const seed = given.seed ?? this.#settings.defaults.seed ?? randomSeed();
    const all = { ...this.#settings.defaults, ...given, seed, ...(resumeIds && { resumeIds }) };
    const asked = { ...this.#settings.tools, ...toolsOf({ tools, toolChoice }) };
    let draft: Draft | undefined;
    const answer = new Answer<Reply>(this.#model.channel, all, (result, { text }) =>
      this.#finish(draft, result, text),
    );
    this.#running.add(answer);
    const start = async (signal: AbortSignal) => {
      await (wrong && refuse(wrong));
      checkOneAnswer(all);
      const session = await this.#session();
      const [said] = checkMessages(
        [typeof message === 'string' ? { role: 'user', content: message } : message],
        'message',
      ) as readonly [ChatMessage];
      const { template } = this.#settings.template;
      const request = { ...asked, template, format: all.format, path: 'options' };
      const plan = await this.#model.planReply(request);
      const { prompt, rendered, ...fits } = await this.#fit(said, plan, all.maxTokens, signal);
      draft = { said, ...fits };
      const readers = [await plan.makeReader(rendered)];
      const onTokens = await this.#journal.begin(said, { ...options, seed }, resumeIds);
      return { prompt, session, ...plan.format, readers, onTokens };
    };
    void this.#model
      .inTurn(async () => {
        await answer.run(start);
        await answer.result.catch((error: unknown) => this.#journal.cancel(error).catch(() => {}));
      })
      .then(() => this.#running.delete(answer));
    return answer;
  }

  /** Takes the last messages back and returns them: two for the last question and its answer. */
  rewind(count: number): Promise<readonly ChatMessage[]> {
    return this.#inTurn(async () => {
      this.#checkOpen();
      const { messages } = this.#state;
      if (!Number.isInteger(count) || count < 0 || count > messages.length) {
        const message = `Must be an integer from 0 to ${messages.length}, not ${count}.`;
        throw new AmbryError('BadValue', message, { path: 'count' });
      }
      // The keys and values stay, because the next message may be the same again.
      await this.#journal.rewind(count);
      this.#state = rewound(this.#state, count);
      return messages.slice(messages.length - count);
    });
  }

  /** A copy of the conversation, without a journal. The two share memory until they differ. */
  fork(): Promise<ChatSession> {
    return this.#inTurn(async () => {
      const session = await this.#session();
      const id = await this.#model.channel.call('forkSession', { session });
      return new ChatSession(this.#model, this.#settings, { ...this.#state, id });
    });
  }

  /** The session as bytes, for `model.restoreSession`. They hold what has been said as plain text. */
  save(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#inTurn(async () => {
      const session = await this.#session();
      const { messages, turns } = this.#state;
      const note = writeNote(this.#settings, messages, turns);
      return this.#model.channel.call('saveSession', { session, note });
    });
  }

  /** Ends its answers and gives its memory back. The model stays. */
  async dispose(): Promise<void> {
    if (this.#isDisposed) {
      return;
    }
    this.#isDisposed = true;
    for (const answer of this.#running) {
      answer.leave();
    }
    await this.#model.inTurn(async () => {
      if (this.#id === undefined) {
        return;
      }
      // The memory of a model that was disposed of is free already.
      await this.#model.channel.call('closeSession', { session: this.#id }).catch(() => {});
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#model.inTurn(work);
  }

  #checkOpen(): void {
    if (!this.#isDisposed) {
      return;
    }
    const message = 'The session was disposed of already.';
    throw new AmbryError('Cancelled', message, { path: 'session' });
  }

  async #session(): Promise<number> {
    this.#checkOpen();
    this.#id ??= await this.#model.channel.call('openSession', null);
    return this.#id;
  }

  async #fit(
    said: ChatMessage,
    plan: ReplyPlan,
    maxTokens: number | undefined,
    signal: AbortSignal,
  ): Promise<Omit<Draft, 'said'> & { readonly prompt: WirePrompt; readonly rendered: string }> {
    const messages = [...this.#state.messages, said];
    const { template, variables, trim } = this.#settings;
    const { channel, context } = this.#model;
    // The ends of all renderings are the same.
    let rendered = '';
    const names = { ...variables.variables, ...plan.variables };
    const idsOf = async (some: readonly ChatMessage[]) => {
      const conversation = { messages: some, ...template, variables: names };
      const { text, special } = await this.#model.render(conversation, signal);
      rendered = text;
      const tokens = await channel.call('tokenize', { text, options: { special } }, { signal });
      return tokens.ids;
    };
    const room = trim === 'oldest' ? roomFor(maxTokens, context) : 0;
    const { ids, first, dropped } = await fitted(messages, idsOf, { context, room, trim });
    return {
      prompt: { ids },
      rendered,
      range: { first: first.length, count: dropped.length },
      dropped,
    };
  }

  /** `written` is all that the model wrote. The conversation keeps it as it is, so that its tokens stay the same. */
  async #finish(draft: Draft | undefined, result: Generation, written: string): Promise<Reply> {
    const hasAnswer = result.ids.length > 0 || result.stoppedBy !== 'left';
    if (!draft || !hasAnswer) {
      await this.#journal.cancel();
      return { ...result, droppedMessages: [] };
    }
    const { said, range, dropped } = draft;
    const text = { text: written, tokens: result.promptIds.length + result.ids.length };
    this.#state = withAnswer(this.#state, said, range, text);
    await this.#journal.end(text, range);
    return { ...result, droppedMessages: dropped };
  }
}

const count: Kind = {
  words: 'an integer of 0 or more',
  is: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};

checkMethods(ChatSession, { rewind: { count }, fork: {}, save: {} });
