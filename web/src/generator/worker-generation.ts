// Running answers in the worker: a job of the core, its tokens, and its timings.

import { isAbort } from '../base/errors.ts';
import type { CallContext } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { unwrap } from '../runtime/worker-heap.ts';
import type { GenerateJob, GeneratorModule, PromptCache } from '../wasm/module.mjs';
import { parsedAnswer } from './answer-format.ts';
import type { GeneratorCalls, WireGeneration, WireToken } from './base/protocol.ts';
import { generateDefaults, type StopReason } from './base/types.ts';
import { GenerationClock } from './worker-generation-clock.ts';

/** Tokens of this period are sent together. */
const momentMs = 12;

/** Loads the weights of a part of the model that are not in memory, or has a device compute. Gives a note for the caller
 *  where that failed and the answer goes on. */
type Provide = (part: number, signal: AbortSignal) => Promise<string | undefined>;

type NextTokens = GeneratorCalls['nextTokens']['out'];
type Answered = ReturnType<GeneratorModule['generated']>['valueType'][number];

interface GenerationInput {
  readonly settings: GeneratorCalls['startGeneration']['in']['settings'];
  /** The seed of the first answer to each prompt. */
  readonly seeds: readonly number[];
  /** What the answer adds goes here. */
  readonly cache: PromptCache | undefined;
}

export class Generation {
  readonly #module: GeneratorModule;
  readonly #job: GenerateJob;
  readonly #provide: Provide;
  readonly #input: GenerationInput;
  readonly #clock = new GenerationClock();
  #hasFailed = false;
  #made = 0;
  /** The latest call of `next`. */
  #last: Promise<unknown> = Promise.resolve();
  /** Set when the generation has ended. */
  #results: readonly WireGeneration[] | undefined;

  constructor(module: GeneratorModule, job: GenerateJob, provide: Provide, input: GenerationInput) {
    this.#module = module;
    this.#job = job;
    this.#provide = provide;
    this.#input = input;
  }

  /** The tokens of the next period, after those of the calls before. Once a call has failed, the next ones fail alike. */
  next(context: CallContext): Promise<NextTokens> {
    const next = this.#last.then(() => this.#next(context));
    this.#last = next;
    return next;
  }

  async #next(context: CallContext): Promise<NextTokens> {
    if (this.#results) {
      return { tokens: [], results: this.#results };
    }
    try {
      return await this.#period(context);
    } catch (error) {
      this.#hasFailed = !isAbort(error);
      throw error;
    }
  }

  #period({ signal, report }: CallContext): Promise<NextTokens> {
    const begin = performance.now();
    const isFirst = this.#made === 0;
    return withEventLoop(async (eventLoop) => {
      const tokens: WireToken[] = [];
      for (;;) {
        await eventLoop.turn(signal);
        const isPrompt = this.#made === 0;
        const step = await this.#step(signal);
        tokens.push(...step.tokens);
        const note = step.note === undefined ? {} : { note: step.note };
        if (isPrompt) {
          const { made, loaded, total } = step;
          const done = made > 0 ? total : loaded;
          report({ phase: 'prompt', loaded: done, total, cached: false, ...note });
        } else {
          report({
            phase: 'generate',
            loaded: step.made,
            total: this.#mostTokens(),
            cached: false,
            ...note,
          });
        }
        if (step.done) {
          return { tokens, results: this.end() };
        }
        const isMoment = performance.now() - begin >= momentMs || (isFirst && step.made > 0);
        if (isMoment && tokens.length > 0) {
          return { tokens, results: null };
        }
      }
    });
  }

  /** The most tokens that all answers together may have. */
  #mostTokens(): number {
    const { settings, seeds } = this.#input;
    return (settings.maxTokens ?? 0) * (settings.n ?? generateDefaults.n) * seeds.length;
  }

  async #step(signal: AbortSignal) {
    const begin = performance.now();
    const step = unwrap(this.#module.stepGenerate(this.#job));
    const note = step.part === null ? undefined : await this.#provide(step.part, signal);
    this.#clock.add(performance.now() - begin, step);
    this.#made = step.made;
    return { ...step, note };
  }

  /** Ends the generation and returns the tokens so far of the answers that had begun. Releases the job. */
  end(): readonly WireGeneration[] {
    if (this.#results) {
      return this.#results;
    }
    const { cache } = this.#input;
    const made = unwrap(this.#module.generated(this.#job)).slice(0, this.#clock.begun);
    const hasAnswer =
      !this.#hasFailed && made.some(({ ids, stop }) => ids.length > 0 || stop !== null);
    if (cache !== undefined && hasAnswer) {
      unwrap(this.#module.keepGenerated(cache, this.#job));
    }
    this.#module.release(this.#job);
    this.#results = made.map((answer, i) => this.#result(answer, i));
    return this.#results;
  }

  #result({ promptIds, reused, ids, text, stop, complete }: Answered, i: number): WireGeneration {
    const { settings, seeds, cache } = this.#input;
    const { n = generateDefaults.n } = settings;
    const { promptMs, answerMs } = this.#clock.timesOf(i);
    const seconds = answerMs / 1000;
    // The pass over the prompt gave the first token.
    const tokens = Math.max(ids.length - 1, 0);
    return {
      promptIds,
      ids,
      text,
      stoppedBy: (stop ?? 'left') satisfies StopReason,
      ...parsedAnswer(settings.format, text, complete ?? false),
      seed: (seeds[Math.floor(i / n)] ?? 0) + (i % n),
      prompt: { tokens: promptIds.length, seconds: promptMs / 1000 },
      generated: { tokens, seconds },
      tokensPerSecond: seconds > 0 ? tokens / seconds : 0,
      reusedTokens: cache === undefined ? 0 : reused,
    };
  }
}
