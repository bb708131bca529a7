// Generating text with decoder language models.
import type { KeyValueType } from '../model/types.ts';
import type { JobOptions } from '../rpc/types.ts';

/** Of a conversation. What a model's template wants besides may be there, too. */
export interface ChatMessage {
  readonly role: string;
  readonly content: string;
  readonly [key: string]: unknown;
}

/** A text, its tokens as they are, or a conversation, which the model's own template turns into text. */
export type Prompt =
  | string
  | readonly number[]
  | { readonly messages: readonly ChatMessage[]; readonly template?: string };

export interface GeneratorInfo {
  /** `llama`, `mistral`, `gemma`, `phi2`, `phi3`, `gpt2`, `falcon` or `mpt`. */
  readonly architecture: string;
  /** Tokens of prompt and answer together, at most. */
  readonly context: number;
  /** How far back attention looks; null for all of the context. */
  readonly slidingWindow: number | null;
  /** Numbers in a row of logits. */
  readonly vocabulary: number;
  readonly layers: number;
  /** Bytes of memory that a token of the context takes. */
  readonly keyValueBytes: number;
  readonly kv: KeyValueType;
  /** Tokens that end a text. */
  readonly endIds: readonly number[];
  /** The texts of special tokens by role, for templates: `{bos: '<s>', eos: '</s>'}`. */
  readonly specialTokens: Readonly<Record<string, string>>;
  /** The file's own Jinja template for conversations. */
  readonly chatTemplate: string | null;
  /** Of a model whose layers are read anew for every pass. */
  readonly streaming: LayerStreaming | null;
}

/** What running a model costs whose layers do not stay in memory. */
export interface LayerStreaming {
  /** Bytes that may be held, as `open` was told. */
  readonly resident: number;
  /** Bytes of the file that are read for a token, or for a part of a prompt. */
  readonly bytesPerPass: number;
  /** Estimated from the first layers, which were read and run. */
  readonly bytesPerSecond: number;
  readonly tokensPerSecond: number;
}

export interface SamplingOptions {
  /** 0 always takes the likeliest token; 0.8 when absent. */
  readonly temperature?: number;
  /** Only so many of the likeliest tokens; 0, all of them, when absent. */
  readonly topK?: number;
  /** Only the likeliest tokens that make up this share together; 0.9 when absent. */
  readonly topP?: number;
  /** Only tokens at least this likely, as a share of the likeliest one’s; 0 when absent. */
  readonly minP?: number;
  /** Makes tokens that were there before less likely; 1, not at all, when absent. */
  readonly repetitionPenalty?: number;
  /** The same seed gives the same text, in every browser and in Node that run the same build (`model.flavour`), and
   *  everywhere with `deterministic`. A whole number from 0 on; any when absent. */
  readonly seed?: number;
}

export interface GenerateOptions extends JobOptions, SamplingOptions {
  /** 256 when absent. */
  readonly maxTokens?: number;
  /** Texts that end the answer; they are not part of it. */
  readonly stop?: string | readonly string[];
  /** With each token its probability, and those of so many of the likeliest ones. */
  readonly logprobs?: number;
}

/** By the logits before any option of sampling changes them. */
export interface TokenProbability {
  readonly id: number;
  readonly token: string;
  readonly logprob: number;
}

export interface GeneratedToken {
  /** From 0 on. */
  readonly index: number;
  readonly id: number;
  /** What it adds to the text. Tokens wait until that is certain: a character may take several of them, and
   *  what may become a stop text is held back. The texts of all tokens make up the result's. */
  readonly text: string;
  readonly logprob?: number;
  readonly probability?: number;
  /** The likeliest first. */
  readonly top?: readonly TokenProbability[];
}

/** How long so many tokens took. */
export interface TokenTiming {
  readonly tokens: number;
  readonly seconds: number;
}

/** `eos`: a token that ends a text; `stop`: a stop text; `length`: `maxTokens`; `context`: the model can take
 *  no more; `left`: the loop over the tokens was left. */
export type StopReason = 'eos' | 'stop' | 'length' | 'context' | 'left';

export interface Generation {
  readonly promptIds: readonly number[];
  /** Without the token that ended the text. */
  readonly ids: readonly number[];
  /** The answer alone. */
  readonly text: string;
  readonly stop: StopReason;
  readonly seed: number;
  readonly prompt: TokenTiming;
  readonly generated: TokenTiming;
  /** Of the answer. */
  readonly tokensPerSecond: number;
}

/** An answer under way. It goes on whether or not somebody looks; leaving the loop ends it. */
export interface GenerationRun extends AsyncIterable<GeneratedToken> {
  readonly result: Promise<Generation>;
}

export interface PerplexityOptions extends JobOptions {
  /** Tokens that are looked at together; the model's context when absent. */
  readonly window?: number;
  /** Tokens by which a window moves on: the tokens of its end, which are judged. Half a window when absent. */
  readonly stride?: number;
}

export interface Perplexity {
  readonly perplexity: number;
  /** Natural logarithm of it. */
  readonly crossEntropy: number;
  /** Tokens that were judged: all but the first. */
  readonly tokens: number;
  readonly windows: number;
}

export interface LogitsOptions extends JobOptions {
  /** A row for every token of the prompt, instead of the last one's alone. */
  readonly all?: boolean;
}

export interface ChatTemplateOptions {
  /** Instead of the file's own. */
  readonly template?: string;
  /** Whether the answer's beginning is put at the end; true when absent. */
  readonly addGenerationPrompt?: boolean;
  /** Further names for the template. */
  readonly variables?: Readonly<Record<string, unknown>>;
}
