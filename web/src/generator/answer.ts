// A running answer, or several: a loop over the tokens as they arrive, and the results.
import { type Caller, callerOf, withCaller } from '../base/call.ts';
import { AmbryError, abortError, isAbort } from '../base/errors.ts';
import type { CallOptions, Channel } from '../rpc/channel.ts';
import { plainFormat } from './answer-format.ts';
import type {
  GenerateSettings,
  GeneratorCalls,
  WireGeneration,
  WireToken,
} from './base/protocol.ts';
import type {
  AnswerFormat,
  GeneratedToken,
  GenerateOptions,
  Generation,
  GenerationRun,
  Reply,
} from './base/types.ts';
import { generationOf } from './generation.ts';
import type { ReplyReader } from './reply/reply-reader.ts';
import type { MakeReader } from './reply-plan.ts';

/** Random seeds are below this. */
const seeds = 2 ** 32;

/** The prompt, and the session that it is for. */
interface Start extends Omit<GeneratorCalls['startGeneration']['in'], 'settings'> {
  /** Replaces the format of the options. */
  readonly format?: AnswerFormat;
  /** What reads the answers to each prompt. Where there is none, what the model writes is the text. */
  readonly readers?: readonly (MakeReader | undefined)[];
  /** Gets the tokens as they come. */
  readonly onTokens?: (tokens: readonly WireToken[]) => void;
}

type MakeStart = (signal: AbortSignal) => Promise<Start>;

export class Answer<R extends Generation = Generation> implements GenerationRun<R> {
  readonly result: Promise<R>;
  readonly results: Promise<readonly R[]>;
  readonly #channel: Channel<GeneratorCalls>;
  readonly #caller: Caller = callerOf(Answer);
  readonly #options: GenerateOptions;
  /** What the answers are numbered by, if there are several. */
  readonly #numbered: 'answer' | 'prompt';
  /** Aborts when the caller leaves the loop, or by the caller's signal. */
  readonly #end = new AbortController();
  readonly #tokens: GeneratedToken[] = [];
  readonly #finish: (result: Generation, written: WireGeneration) => R | Promise<R>;
  #makeReaders: Start['readers'];
  /** By the numbers of the answers. */
  readonly #readers: (ReplyReader | undefined)[] = [];
  #settle: (results: Promise<readonly R[]>) => void = () => {};
  #isDone = false;
  /** Wakes the loops that wait for a token. */
  #wake: () => void = () => {};

  /** `finish` gets the result of an answer that ended or was stopped, before the caller does. */
  constructor(
    channel: Channel<GeneratorCalls>,
    options: GenerateOptions,
    finish: (result: Generation, written: WireGeneration) => R | Promise<R>,
    numbered: 'answer' | 'prompt' = 'answer',
  ) {
    this.#channel = channel;
    this.#options = options;
    this.#numbered = numbered;
    this.#finish = finish;
    this.results = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.result = this.results.then(([first]) => first as R);
    // A caller that only loops gets the error from the loop.
    this.result.catch(() => {});
  }

  /** Called once, when earlier answers have ended. Never rejects. */
  async run(start: MakeStart): Promise<void> {
    const { signal } = this.#options;
    const end = () => this.#end.abort();
    signal?.addEventListener('abort', end, { once: true });
    const results = this.#run(start).catch((error: unknown) => {
      throw withCaller(error, this.#caller);
    });
    this.#settle(results);
    await results.catch(() => {});
    signal?.removeEventListener('abort', end);
    this.#isDone = true;
    this.#wake();
  }

  /** Ends the answer, as leaving the loop does. */
  leave(): void {
    this.#end.abort();
  }

  async #run(start: MakeStart): Promise<readonly R[]> {
    const { signal, onProgress } = this.#options;
    const call = { signal: this.#end.signal, onProgress };
    let isStarted = false;
    try {
      signal?.throwIfAborted();
      const { format, readers, onTokens, ...begin } = await start(call.signal);
      this.#makeReaders = readers;
      const settings = { ...settingsOf(this.#options, format), ...shownBy(readers) };
      const input = { ...begin, settings };
      await this.#channel.call('startGeneration', input, call);
      isStarted = true;
      for (let asked = this.#ask(call); ; ) {
        // One call ahead, so that the worker goes on while these tokens are on their way.
        const next = this.#ask(call);
        const { tokens, results } = await asked;
        onTokens?.(tokens);
        for (const token of tokens) {
          this.#show(this.#readerOf(token.sequence)?.add(token) ?? [token]);
        }
        const finished = results && this.#finished(results);
        this.#wake();
        if (finished) {
          return finished;
        }
        asked = next;
      }
    } catch (error) {
      if (!isAbort(error)) {
        throw error;
      }
      // The worker stops between two tokens and returns the texts so far.
      const partial = isStarted ? this.#channel.call('endGeneration', null) : undefined;
      if (partial && !signal?.aborted) {
        return await this.#finished(await partial);
      }
      await partial?.then((results) => this.#finished(results)).catch(() => {});
      throw abortError(signal);
    }
  }

  #ask(call: CallOptions): Promise<GeneratorCalls['nextTokens']['out']> {
    const asked = this.#channel.call('nextTokens', null, call);
    // The call before it, which fails first, says why.
    asked.catch(() => {});
    return asked;
  }

  async #finished(results: readonly WireGeneration[]): Promise<readonly R[]> {
    const finished = results.map((result, i) => {
      const read = this.#readerOf(i)?.end(result);
      this.#show(read?.tokens ?? []);
      return this.#finish(generationOf(result, read), result);
    });
    return Promise.all(finished);
  }

  #readerOf(sequence = 0): ReplyReader | undefined {
    if (!(sequence in this.#readers)) {
      const prompt = this.#numbered === 'prompt' ? sequence : 0;
      this.#readers[sequence] = this.#makeReaders?.[prompt]?.();
    }
    return this.#readers[sequence];
  }

  #show(tokens: readonly WireToken[]): void {
    this.#tokens.push(...tokens.map((token) => this.#placed(token)));
  }

  #placed({ sequence, ...token }: WireToken): GeneratedToken {
    const isPrompt = this.#numbered === 'prompt';
    if (sequence === undefined && !isPrompt) {
      return token;
    }
    return { ...token, [this.#numbered]: sequence ?? 0 };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<GeneratedToken, void, undefined> {
    try {
      for (let at = 0; ; ) {
        const token = this.#tokens[at];
        if (token) {
          at++;
          yield token;
        } else if (this.#isDone) {
          await this.result;
          return;
        } else {
          await this.#more();
        }
      }
    } finally {
      if (!this.#isDone) {
        this.#end.abort();
      }
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      const others = this.#wake;
      this.#wake = () => {
        this.#wake = () => {};
        others();
        resolve();
      };
    });
  }
}

/** What is in the result. Someone who awaits the answer itself would find it undefined. */
const inResult: readonly (keyof Reply)[] = [
  'text',
  'reasoning',
  'toolCalls',
  'finishReason',
  'stoppedBy',
  'parsed',
  'ids',
  'usage',
  'promptIds',
  'seed',
  'generated',
  'tokensPerSecond',
  'droppedMessages',
];
for (const name of inResult) {
  const get = () => {
    const message = `"${name}" is in the result of an answer: const { ${name} } = await model.generate(…).result.`;
    throw new AmbryError('BadValue', message, { path: 'result' });
  };
  Object.defineProperty(Answer.prototype, name, { get });
}

/** The seed of an answer whose caller gives none. */
export function randomSeed(): number {
  return Math.floor(Math.random() * seeds);
}

/** The special tokens that the answers show. Where nothing reads an answer, it is text alone. */
function shownBy(readers: Start['readers'] = []): Pick<GenerateSettings, 'shown'> {
  const shown = readers.map((reader) => reader?.shown);
  return shown.includes(undefined) ? {} : { shown: [...new Set(shown.flat() as string[])] };
}

function settingsOf(options: GenerateOptions, form?: AnswerFormat): GenerateSettings {
  const {
    signal: _,
    onProgress: __,
    stop = [],
    seed,
    format,
    ...rest
  } = {
    ...options,
    ...(form && { format: form }),
  };
  return {
    ...rest,
    ...(format && { format: plainFormat(format) }),
    stop: typeof stop === 'string' ? [stop] : [...stop],
    seed: seed ?? randomSeed(),
  };
}
