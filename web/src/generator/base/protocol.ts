// The calls of a worker for a language model, and of one that renders chat templates.
import type { Truncation } from '../../model/embed-types.ts';
import type { EmbedCalls } from '../../model/embedding.ts';
import type { OpenCalls } from '../../model/protocol.ts';
import type { LentModule } from '../../runtime/types.ts';
import type { TokenCalls } from '../../tokenizer/protocol.ts';
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

/** A prompt whose parts become tokens each by itself. If it is too long, its first tokens count, and after them those of `tail`,
 *  which follows the document. `lead` comes before the document and is never cut. */
export interface WirePartedPrompt {
  readonly parts: readonly string[];
  readonly lead: readonly string[];
  readonly tail: readonly string[];
}

/** A question with what errors call its answers, and these. Or a text with what the prompts about it begin with, and the rest for
 *  each question. */
export interface WireTextList {
  readonly head: string;
  readonly items: readonly string[];
}

/** One of several prompts, with the seed of its first answer. */
export type WireRequest = WirePrompt & { readonly seed: number };

export type GenerateSettings = Omit<GenerateOptions, 'signal' | 'onProgress' | 'stop' | 'seed'> & {
  readonly stop: readonly string[];
  readonly seed: number;
  /** Special tokens that are part of the text, of those that the model has. */
  readonly shown?: readonly string[];
};

/** A token of the answer of this number, if there are several. Answers are numbered prompt by prompt. */
export type WireToken = Omit<GeneratedToken, 'answer' | 'prompt'> & {
  readonly sequence?: number;
};

/** What a model wrote. Its reasoning and its calls of tools are in the text. */
export type WireGeneration = Pick<
  Generation,
  | 'promptIds'
  | 'ids'
  | 'text'
  | 'stoppedBy'
  | 'parsed'
  | 'seed'
  | 'prompt'
  | 'generated'
  | 'tokensPerSecond'
> & { readonly reusedTokens: number };

export type GeneratorCalls = OpenCalls &
  TokenCalls &
  EmbedCalls & {
    /** Starts the answers to a prompt, or to several. There is one call of this at a time. The caller then calls
     *  `nextTokens` until it has results, or `endGeneration` to stop early. A session keeps what its answer adds, unless
     *  it fails or is stopped before its first token. */
    startGeneration: {
      in: {
        prompt: WirePrompt | readonly WireRequest[];
        settings: GenerateSettings;
        session?: number;
      };
      out: null;
    };
    /** The next tokens: at least one, except at the end. Two calls may run, so that the worker need not wait for the second:
     *  it is answered after the first. */
    nextTokens: {
      in: null;
      out: { tokens: readonly WireToken[]; results: readonly WireGeneration[] | null };
    };
    /** Ends the answers and returns the texts so far of those that had begun. */
    endGeneration: { in: null; out: readonly WireGeneration[] };
    /** Keys and values of a conversation, none at first. They are kept under a number until `closeSession`. */
    openSession: { in: null; out: number };
    forkSession: { in: { session: number }; out: number };
    closeSession: { in: { session: number }; out: null };
    /** `note` is a text of the caller. */
    saveSession: { in: { session: number; note: string }; out: Uint8Array<ArrayBuffer> };
    restoreSession: { in: { bytes: Uint8Array }; out: { session: number; note: string } };
    /** Rows of `info.generator.vocabulary` values. */
    logits: { in: { prompt: WirePrompt; all: boolean }; out: Float32Array<ArrayBuffer> };
    /** For each prompt what the model gives to the one or two tokens by which it ranks. `list` is what errors call the
     *  prompts. */
    scorePrompts: {
      in: {
        prompts: readonly WirePartedPrompt[];
        settings: {
          readonly list: string;
          readonly truncate?: Truncation;
          readonly layer?: number;
        };
      };
      out: Float32Array<ArrayBuffer>;
    };
    /** Pairs of the score and the probability, for each text, each question and each of its answers. With `prior` the first text is for comparison only. */
    decide: {
      in: {
        questions: readonly WireTextList[];
        texts: readonly WireTextList[];
        /** Whether special tokens stand around the prompts. */
        special: boolean;
        byTokens: boolean;
        prior: boolean;
      };
      out: Float64Array<ArrayBuffer>;
    };
    perplexity: {
      in: { text: string; settings: Omit<PerplexityOptions, 'signal' | 'onProgress'> };
      out: Perplexity;
    };
  };

/** What another worker needs to compute beside the model's own. `team` is the handle of the team in that memory. */
export interface LentTeam extends LentModule {
  readonly team: number;
}

export type TeamCalls = {
  /** Makes the model run on `size` threads, its own worker's included. Null where memory cannot be shared. */
  leadTeam: {
    in: { size: number };
    out: { team: number; members: readonly LentModule[] } | null;
  };
  /** The first and only call of another worker. Once it has been answered, the worker serves the team until it ends. */
  serveTeam: { in: LentTeam; out: null };
};

export type ChatTemplateCalls = {
  /** Settles when the worker runs, so that its start is not part of the time of a template. */
  prepareRendering: { in: null; out: null };
  /** `names` has the variables of the template, as plain data. */
  renderTemplate: {
    in: { template: string; names: Readonly<Record<string, unknown>> };
    out: string;
  };
};
