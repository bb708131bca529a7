// The calls of a worker for a model that generates text.
import type { OpenCalls } from '../model/protocol.ts';
import type { TokenCalls } from '../tokenizer/protocol.ts';
import type {
  GeneratedToken,
  GenerateOptions,
  Generation,
  Perplexity,
  PerplexityOptions,
} from './types.ts';

/** A text, with the special tokens around it or without them, or token ids. */
export type WirePrompt =
  | { readonly text: string; readonly special: boolean }
  | { readonly ids: readonly number[] };

export type GenerateSettings = Omit<GenerateOptions, 'signal' | 'onProgress' | 'stop' | 'seed'> & {
  readonly stop: readonly string[];
  readonly seed: number;
};

export type GeneratorCalls = OpenCalls &
  TokenCalls & {
    /** Starts an answer; there is one at a time. The caller then calls `nextTokens` until it has a result, or
     *  `endGeneration` to stop before that. */
    startGeneration: {
      in: { prompt: WirePrompt; settings: GenerateSettings };
      out: { promptIds: readonly number[] };
    };
    /** The tokens of the next moment: at least one, except at the end. */
    nextTokens: {
      in: null;
      out: { tokens: readonly GeneratedToken[]; result: Generation | null };
    };
    /** Ends the answer and gives what there is of it. */
    endGeneration: { in: null; out: Generation };
    /** Rows of `info.generator.vocabulary` values. */
    logits: { in: { prompt: WirePrompt; all: boolean }; out: Float32Array<ArrayBuffer> };
    perplexity: {
      in: { text: string; settings: Omit<PerplexityOptions, 'signal' | 'onProgress'> };
      out: Perplexity;
    };
  };
