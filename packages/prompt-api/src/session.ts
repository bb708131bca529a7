// A session of the Prompt API over one of Ambry's.
import type { ChatMessage, ChatSession, Generator, SessionOptions } from 'ambry';
import { badValue, checkOptions, formatOf, messagesOf } from './checks.ts';
import { asDomError, invalidState } from './errors.ts';
import type { AppendOptions, CloneOptions, PromptInput, PromptOptions } from './types.ts';

export interface Settings {
  readonly temperature?: number;
  readonly topK?: number;
}

const promptOptions = ['responseConstraint', 'omitResponseConstraintInput', 'signal'];

/** Calls of a session run one after the other. */
export class PromptSession extends EventTarget {
  readonly #model: Generator;
  readonly #settings: Settings;
  #chat: ChatSession;
  /** Messages that were appended and are no part of `#chat` yet. */
  #appended: readonly ChatMessage[];
  #used: number;
  readonly #destroyed: AbortController;
  #last: Promise<unknown> = Promise.resolve();
  /** Called when the context was full, and messages were left out. */
  oncontextoverflow: ((event: Event) => void) | null = null;

  /** @internal */
  constructor(
    model: Generator,
    settings: Settings,
    {
      chat,
      appended,
      used,
    }: { chat?: ChatSession; appended: readonly ChatMessage[]; used: number },
  ) {
    super();
    this.#model = model;
    this.#settings = settings;
    this.#chat = chat ?? model.session(this.#options([]));
    this.#appended = appended;
    this.#used = used;
    this.#destroyed = new AbortController();
  }

  /** The tokens of the conversation so far. */
  get contextUsage(): number {
    return this.#used;
  }

  /** The tokens that fit. */
  get contextWindow(): number {
    return this.#model.info.generator.context;
  }

  /** The older name of `contextUsage`. */
  get inputUsage(): number {
    return this.contextUsage;
  }

  /** The older name of `contextWindow`. */
  get inputQuota(): number {
    return this.contextWindow;
  }

  /** The answer to a prompt. Rejects with a `DOMException` or a `TypeError`. */
  prompt(input: PromptInput, options: PromptOptions = {}): Promise<string> {
    return this.#inTurn(options, promptOptions, (signal) => this.#answer(input, options, signal));
  }

  /** The pieces of the answer. Cancelling the stream ends the answer. */
  promptStreaming(input: PromptInput, options: PromptOptions = {}): ReadableStream<string> {
    const cancelled = new AbortController();
    let controller: ReadableStreamDefaultController<string>;
    const stream = new ReadableStream<string>({
      start: (given) => {
        controller = given;
      },
      cancel: () => cancelled.abort(),
    });
    const answer = this.#inTurn(options, promptOptions, async (signal) => {
      const end = AbortSignal.any([signal, cancelled.signal]);
      await this.#answer(input, options, end, (text) => controller.enqueue(text));
      controller.close();
    });
    answer.catch((error: unknown) => {
      if (!cancelled.signal.aborted) {
        controller.error(error);
      }
    });
    return stream;
  }

  /** Adds messages without an answer. They are computed with the next prompt. */
  append(input: PromptInput, options: AppendOptions = {}): Promise<void> {
    return this.#inTurn(options, ['signal'], async (signal) => {
      const appended = [...this.#appended, ...messagesOf(input, 'input')];
      this.#used = await countTokens(this.#model, [...this.#chat.messages, ...appended], signal);
      this.#appended = appended;
    });
  }

  /** The tokens that a prompt would add. */
  measureContextUsage(input: PromptInput, options: PromptOptions = {}): Promise<number> {
    return this.#inTurn(options, promptOptions, async (signal) => {
      const before = [...this.#chat.messages, ...this.#appended];
      const all = [...before, ...messagesOf(input, 'input')];
      const count = await countTokens(this.#model, all, signal);
      return Math.max(count - (await countTokens(this.#model, before, signal)), 0);
    });
  }

  /** The older name of `measureContextUsage`. */
  measureInputUsage(input: PromptInput, options: PromptOptions = {}): Promise<number> {
    return this.measureContextUsage(input, options);
  }

  /** A copy that goes its own way. */
  clone(options: CloneOptions = {}): Promise<PromptSession> {
    return this.#inTurn(options, ['signal'], async () => {
      const chat = await this.#chat.fork();
      const state = { chat, appended: this.#appended, used: this.#used };
      return new PromptSession(this.#model, this.#settings, state);
    });
  }

  /** Ends the session and its answers. The model stays. */
  destroy(): void {
    this.#destroyed.abort(invalidState());
    void this.#chat.dispose();
  }

  #options(messages: readonly ChatMessage[]): SessionOptions {
    const { context: maxTokens } = this.#model.info.generator;
    return { ...this.#settings, messages, maxTokens, trim: 'oldest' };
  }

  /** The last message is sent, and those before it are part of the session then. One that fails changes nothing. */
  async #answer(
    input: PromptInput,
    { responseConstraint }: PromptOptions,
    signal: AbortSignal,
    onText: (text: string) => void = () => {},
  ): Promise<string> {
    const format = formatOf(responseConstraint);
    const said = [...this.#appended, ...messagesOf(input, 'input')];
    const last = said.at(-1);
    if (!last) {
      throw badValue('There must be a message.', 'input');
    }
    const before = said.slice(0, -1);
    const chat =
      before.length > 0
        ? this.#model.session(this.#options([...this.#chat.messages, ...before]))
        : this.#chat;
    try {
      const run = chat.send(last, { ...format, signal });
      for await (const { text } of run) {
        if (text !== '') {
          onText(text);
        }
      }
      const reply = await run.result;
      await this.#goOn(chat);
      this.#noteDropped(reply.droppedMessages.length);
      return reply.text;
    } catch (error) {
      if (chat !== this.#chat) {
        await chat.dispose();
      }
      throw error;
    }
  }

  async #goOn(chat: ChatSession): Promise<void> {
    if (chat !== this.#chat) {
      await this.#chat.dispose();
      this.#chat = chat;
      this.#appended = [];
    }
    this.#used = chat.context.used;
  }

  #noteDropped(count: number): void {
    if (count > 0) {
      const event = new Event('contextoverflow');
      this.dispatchEvent(event);
      this.oncontextoverflow?.(event);
    }
  }

  async #inTurn<T>(
    options: object,
    names: readonly string[],
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const turn = this.#last.then(async () => {
      this.#destroyed.signal.throwIfAborted();
      checkOptions(options, names);
      const { signal } = options as { readonly signal?: AbortSignal };
      signal?.throwIfAborted();
      return work(AbortSignal.any([this.#destroyed.signal, ...(signal ? [signal] : [])]));
    });
    this.#last = turn.catch(() => {});
    try {
      return await turn;
    } catch (error) {
      throw this.#destroyed.signal.aborted
        ? this.#destroyed.signal.reason
        : asDomError(error, this.contextWindow);
    }
  }
}

/** The tokens of messages as the chat template writes them. */
export async function countTokens(
  model: Generator,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<number> {
  if (messages.length === 0) {
    return 0;
  }
  const text = await model.applyChatTemplate(messages, { addGenerationPrompt: false, signal });
  const [count = 0] = await model.tokenCounts([text], { signal });
  return count;
}
