// A running generation in the worker: a job of the core, its tokens, and its timings.

import { isAbort } from '../errors.ts';
import type { CallContext } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { unwrap } from '../runtime/worker-heap.ts';
import type { GenerateJob, GenerateModule, PromptCache } from '../wasm/module.mjs';
import { parsedAnswer } from './answer-format.ts';
import type { GeneratorCalls, WireGeneration } from './protocol.ts';
import type { AnswerFormat, GeneratedToken, StopReason } from './types.ts';

/** Tokens of this period are sent together. */
const momentMs = 12;

/** Loads the weights of a part of the model that are not in memory. */
export type Provide = (part: number, signal: AbortSignal) => Promise<void>;

export class Generation {
  readonly #module: GenerateModule;
  readonly #job: GenerateJob;
  readonly #provide: Provide;
  readonly #seed: number;
  readonly #maxTokens: number;
  readonly #format: AnswerFormat | undefined;
  /** What the answer adds goes here. */
  readonly #cache: PromptCache | undefined;
  #hasFailed = false;
  #promptMs = 0;
  #answerMs = 0;
  #made = 0;
  /** Set when the generation has ended. */
  #result: WireGeneration | undefined;

  constructor(
    module: GenerateModule,
    job: GenerateJob,
    provide: Provide,
    settings: GeneratorCalls['startGeneration']['in']['settings'],
    cache?: PromptCache,
  ) {
    this.#module = module;
    this.#job = job;
    this.#provide = provide;
    this.#cache = cache;
    this.#seed = settings.seed;
    this.#maxTokens = settings.maxTokens ?? 0;
    this.#format = settings.format;
  }

  promptIds(): readonly number[] {
    return unwrap(this.#module.generated(this.#job)).promptIds;
  }

  /** The tokens of the next period. */
  async next(context: CallContext): Promise<GeneratorCalls['nextTokens']['out']> {
    try {
      return await this.#next(context);
    } catch (error) {
      this.#hasFailed = !isAbort(error);
      throw error;
    }
  }

  #next({ signal, report }: CallContext): Promise<GeneratorCalls['nextTokens']['out']> {
    const begin = performance.now();
    const isFirst = this.#made === 0;
    return withEventLoop(async (eventLoop) => {
      const tokens: GeneratedToken[] = [];
      for (;;) {
        await eventLoop.turn(signal);
        const isPrompt = this.#made === 0;
        const step = await this.#step(signal);
        tokens.push(...step.tokens);
        if (isPrompt) {
          const { made, loaded, total } = step;
          report({ phase: 'prompt', loaded: made > 0 ? total : loaded, total, cached: false });
        } else {
          const total = this.#maxTokens;
          report({ phase: 'generate', loaded: step.made, total, cached: false });
        }
        if (step.done) return { tokens, result: this.end() };
        const isMoment = performance.now() - begin >= momentMs || (isFirst && step.made > 0);
        if (isMoment && tokens.length > 0) return { tokens, result: null };
      }
    });
  }

  async #step(signal: AbortSignal) {
    const begin = performance.now();
    const isPrompt = this.#made === 0;
    const step = unwrap(this.#module.stepGenerate(this.#job));
    if (step.part !== null) await this.#provide(step.part, signal);
    const took = performance.now() - begin;
    // The last step of the prompt also gives the first token.
    if (isPrompt) this.#promptMs += took;
    else this.#answerMs += took;
    this.#made = step.made;
    return step;
  }

  /** Ends the generation and returns the tokens so far. Releases the job. */
  end(): WireGeneration {
    if (this.#result) return this.#result;
    const { promptIds, reused, ids, text, stop, complete } = unwrap(
      this.#module.generated(this.#job),
    );
    const hasAnswer = !this.#hasFailed && (ids.length > 0 || stop !== null);
    if (this.#cache !== undefined && hasAnswer) {
      unwrap(this.#module.keepGenerated(this.#cache, this.#job));
    }
    this.#module.release(this.#job);
    const seconds = this.#answerMs / 1000;
    // The pass over the prompt gave the first token.
    const tokens = Math.max(this.#made - 1, 0);
    this.#result = {
      promptIds,
      ids,
      text,
      stop: (stop ?? 'left') satisfies StopReason,
      ...parsedAnswer(this.#format, text, complete ?? false),
      seed: this.#seed,
      prompt: { tokens: promptIds.length, seconds: this.#promptMs / 1000 },
      generated: { tokens, seconds },
      tokensPerSecond: seconds > 0 ? tokens / seconds : 0,
      ...(this.#cache !== undefined && { reusedTokens: reused }),
    };
    return this.#result;
  }
}
