// Generating text with decoder language models.
import type { AdapterFacts } from '../../gpu/adapter.ts';
import type { KeyValueType } from '../../model/types.ts';
import type { JobOptions } from '../../rpc/types.ts';
import type { Journal } from './journal-types.ts';
import { type SamplingOptions, samplingDefaults } from './sampling-types.ts';

export type * from './decision-types.ts';
export type * from './journal-types.ts';
export type { SamplingOptions };

/** A message of a conversation. It may have more fields, for the template of the model. */
export interface ChatMessage {
  readonly role: string;
  readonly content: string;
  readonly [key: string]: unknown;
}

/** A function that a model may call, as chat templates take it. */
export interface Tool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    /** A JSON Schema of the arguments, which are an object. */
    readonly parameters?: object;
  };
}

/** A call of a tool in an answer. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly id?: string;
}

/** Which tool an answer calls: as the model likes, none, any one of them, or this one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** The calls in an answer, and the text beside them. */
export interface ToolAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** Messages, and how a template turns them into text. */
export interface Conversation {
  readonly messages: readonly ChatMessage[];
  readonly template?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A text, a list of token ids, or a conversation, which the model's template turns into text. `tools` are what the
 *  model may call, `toolChoice` is `auto` when absent, and `variables` are what else the template may read, such as
 *  `enable_thinking`. */
export type Prompt =
  | string
  | readonly number[]
  | {
      readonly messages: readonly ChatMessage[];
      readonly template?: string;
      readonly tools?: readonly Tool[];
      readonly toolChoice?: ToolChoice;
      readonly variables?: Readonly<Record<string, unknown>>;
    };

export interface GeneratorInfo {
  /** `llama`, `qwen3`, `gemma3` and so on, as AMB names it. */
  readonly architecture: string;
  /** The maximum number of tokens of prompt and answer together. */
  readonly context: number;
  /** The number of tokens that attention sees; null for the whole context. */
  readonly slidingWindow: number | null;
  /** The length of a row of logits. */
  readonly vocabulary: number;
  readonly layers: number;
  /** Bytes of the KV cache per token. */
  readonly keyValueBytes: number;
  readonly kv: KeyValueType;
  /** Tokens that end a text. */
  readonly endIds: readonly number[];
  /** The texts of special tokens by role, for templates: `{bos: '<s>', eos: '</s>'}`. */
  readonly specialTokens: Readonly<Record<string, string>>;
  /** The file's own Jinja template for conversations that ask for no other. */
  readonly chatTemplate: string | null;
  /** The names of all its templates, such as `default`, `tool_use` and `rag`. */
  readonly chatTemplates: readonly string[];
  /** Set if the layers are read again for every pass. */
  readonly streaming: LayerStreaming | null;
  /** What computes, if `open` was given `device`. */
  readonly device?: DeviceFacts;
}

/** What computes the passes of a model: the graphics processor, which gave the same numbers as WebAssembly but for this share
 *  of the largest logit, or WebAssembly, and why. */
export type DeviceFacts =
  | { readonly name: 'webgpu'; readonly adapter: AdapterFacts; readonly difference: number }
  | { readonly name: 'wasm'; readonly reason: string };

/** The cost of running a model whose layers do not stay in memory. */
export interface LayerStreaming {
  /** The limit of weights in memory in bytes, as given to `open`. */
  readonly resident: number;
  /** Bytes of the file that each pass reads. A pass computes one token, or a part of the prompt. */
  readonly bytesPerPass: number;
  /** An estimate. `open` measures it by reading and running the first layers. */
  readonly bytesPerSecond: number;
  readonly tokensPerSecond: number;
}

/** The ways to give the form of an answer. */
export const answerForms = ['schema', 'choices', 'regex', 'grammar'] as const;

/** The form that an answer keeps to. `schema`: a JSON Schema. `choices`: one of these texts. `regex`: a regular
 *  expression of JavaScript for the whole answer. `grammar`: a grammar in GBNF, the notation of llama.cpp. What of each
 *  is supported is in core/text/grammar/README.md of Ambry's sources. */
export type AnswerFormat =
  | { readonly schema: object | boolean }
  | { readonly choices: readonly string[] }
  | { readonly regex: string }
  | { readonly grammar: string };

export interface GenerateOptions extends JobOptions, SamplingOptions {
  /** 256 when absent. */
  readonly maxTokens?: number;
  /** The number of answers, with the seeds `seed`, `seed + 1`, …; 1 when absent. The prompt is computed once, and the answers
   *  together, so their tokens come by turns. Each is the same as alone. */
  readonly n?: number;
  /** How many answers are computed together, from 1 to 64, if there are several; 8 when absent. Each takes memory for its
   *  tokens. */
  readonly batchSize?: number;
  /** Texts that end the answer; they are not part of it. */
  readonly stop?: string | readonly string[];
  /** Ids of tokens that end the answer, beside those that end a text; they are not part of it. */
  readonly stopIds?: readonly number[];
  /** Only tokens that keep to this form are chosen. The answer ends when it has the whole form. */
  readonly format?: AnswerFormat;
  /** The first tokens of this answer, from an earlier run that was interrupted. With the same model, prompt, options and seed
   *  the answer is that of a run without interruption, to the bit: the tokens are chosen again, up to 63 in a pass.
   *  Rejects with `Mismatch` at the first one that differs. For one answer. */
  readonly resumeIds?: readonly number[];
  /** Return the probability of each token, and of this many of the most probable tokens. */
  readonly logprobs?: number;
  /** Prompt lookup decoding: if the last tokens occurred before, up to this many of the tokens that came next are computed in
   *  one pass with the next one, and kept as far as the model agrees. The answer is the same. It comes faster if it
   *  repeats parts of the prompt or of itself, as code, JSON and summaries do, and the weights are f32, f16 or int8: a
   *  pass over several tokens costs less than as many passes then. From 0, the default, which turns it off, to 63; 10 is
   *  usual. */
  readonly promptLookupNumTokens?: number;
  /** The most tokens that prompt lookup looks up, from 1 to 64; 3 when absent. It looks up at least two, or one if this
   *  is 1. */
  readonly maxMatchingNgramSize?: number;
}

/** Options of `generateAll`, which gives one answer to each prompt. */
export type GenerateAllOptions = Omit<GenerateOptions, 'n' | 'resumeIds'>;

/** The defaults of options that are absent. */
export const generateDefaults = {
  ...samplingDefaults,
  maxTokens: 256,
  n: 1,
  batchSize: 8,
  promptLookupNumTokens: 0,
  maxMatchingNgramSize: 3,
} as const satisfies GenerateOptions;

/** By the logits before any option of sampling changes them. */
export interface TokenProbability {
  readonly id: number;
  /** The token as the vocabulary spells it, such as `Ġworld`. */
  readonly token: string;
  /** What the token adds to a text, such as ` world`, as bytes of UTF-8. They may be a part of a character. Of a token that is
   *  no text, such as one that ends an answer, the bytes of its name. Absent without a tokenizer. */
  readonly bytes?: readonly number[];
  readonly logprob: number;
}

export interface GeneratedToken {
  /** From 0 on, in each answer. */
  readonly index: number;
  /** Which of the `n` answers, from 0 on. Absent for one answer. */
  readonly answer?: number;
  /** Which of the prompts of `generateAll`, from 0 on. Absent for `generate`. */
  readonly prompt?: number;
  readonly id: number;
  /** What this token adds to the text of the answer. It is certain: a character may take several tokens, a stop text is
   *  not returned, and what may be the call of a tool is held back for a later token. The texts of all tokens together are
   *  the text of the result. */
  readonly text: string;
  /** What this token adds to the reasoning before the answer. Absent where the token is no part of it. */
  readonly reasoning?: string;
  /** The bytes of the token by itself, as in `top`, if probabilities were asked for. */
  readonly bytes?: readonly number[];
  readonly logprob?: number;
  readonly probability?: number;
  /** The most probable tokens, best first. */
  readonly top?: readonly TokenProbability[];
}

/** A number of tokens and the time that they took. */
export interface TokenTiming {
  readonly tokens: number;
  readonly seconds: number;
}

/** Why the model wrote no more. `eos`: a token that ends a text. `stop`: a stop text or a stop id. `length`: `maxTokens`.
 *  `context`: the context is full. `format`: the answer has the whole form of the option `format`, and nothing can
 *  follow. `left`: the caller left the loop over the tokens. */
export type StopReason = 'eos' | 'stop' | 'length' | 'context' | 'format' | 'left';

/** How an answer ended. `stop`: it is whole. `tool_calls`: it calls tools. `length`: it was cut by `maxTokens` or the end
 *  of the context. `left`: the caller left the loop over the tokens. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'left';

/** The tokens of an answer and its prompt. */
export interface TokenUsage {
  readonly promptTokens: number;
  /** Tokens of the reasoning and of calls are among them. */
  readonly completionTokens: number;
  readonly totalTokens: number;
  /** Tokens of the prompt whose keys and values a session had kept. Only the others were computed. */
  readonly reusedTokens: number;
}

export interface Generation {
  readonly promptIds: readonly number[];
  /** What the model wrote, without the token that ended the text. */
  readonly ids: readonly number[];
  /** The answer, without its reasoning and without calls of tools. */
  readonly text: string;
  /** What the model wrote between the marks of its thinking before the answer to a conversation. Empty if there is none. */
  readonly reasoning: string;
  /** Empty if the prompt has no tools. Text that is no valid call is text. */
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  /** What ended the text, to the token. */
  readonly stoppedBy: StopReason;
  /** The value of the answer if it keeps to a schema. Absent if the answer was cut before its end. */
  readonly parsed?: unknown;
  readonly usage: TokenUsage;
  readonly seed: number;
  readonly prompt: TokenTiming;
  readonly generated: TokenTiming;
  readonly tokensPerSecond: number;
}

/** A running answer, or `n` of them. It continues even if nobody loops over it. Leaving the loop ends it. */
export interface GenerationRun<R extends Generation = Generation>
  extends AsyncIterable<GeneratedToken> {
  /** The first answer. */
  readonly result: Promise<R>;
  /** All `n` answers, or those that had begun when the caller left the loop. */
  readonly results: Promise<readonly R[]>;
}

/** Running answers to several prompts. They continue even if nobody loops over them. Leaving the loop ends them all. */
export interface GenerationBatch extends AsyncIterable<GeneratedToken> {
  /** The answer to each prompt, in their order; or those that had begun when the caller left the loop, which are the
   *  first ones. */
  readonly results: Promise<readonly Generation[]>;
}

/** What a session does when a conversation and the room for an answer outgrow the context. `error` rejects with
 *  `LimitExceeded`. `oldest` drops the oldest turns and keeps the messages before the first one of the user, such as the
 *  system message. It drops until a quarter of the context is free besides the room for the answer, because what follows
 *  a gap must be computed again. The first is the default. */
export const trimPolicies = ['error', 'oldest'] as const;
export type TrimPolicy = (typeof trimPolicies)[number];

/** The tools of a conversation. */
export interface ToolOptions {
  /** What the model may call. */
  readonly tools?: readonly Tool[];
  /** `auto` when absent. */
  readonly toolChoice?: ToolChoice;
}

/** Options of a session. Those of `generate` are its defaults for `send`. */
export interface SessionOptions
  extends Omit<GenerateOptions, keyof JobOptions | 'n' | 'batchSize' | 'resumeIds'>,
    ToolOptions {
  /** The system message, which comes first. */
  readonly system?: string;
  /** The conversation so far. */
  readonly messages?: readonly ChatMessage[];
  /** Another template: the name of one in `GeneratorInfo.chatTemplates`, or a text in Jinja. */
  readonly template?: string;
  /** More variables for the template. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly trim?: TrimPolicy;
  /** Keeps what is said and every token while it comes, so that `model.resumeSession` goes on after a crash. */
  readonly journal?: Journal;
}

/** The options of `generate`, for one answer, and its tools. */
export interface SendOptions extends Omit<GenerateOptions, 'n' | 'batchSize'>, ToolOptions {}

/** Options that replace those with which a session was saved. */
export type RestoreOptions = Omit<SessionOptions, 'system' | 'messages' | 'journal'>;

/** An answer of a session. */
export interface Reply extends Generation {
  /** Messages that `trim` dropped for this answer. */
  readonly droppedMessages: readonly ChatMessage[];
}

/** Tokens of a conversation after its latest answer, and those that fit. */
export interface ContextUse {
  readonly used: number;
  readonly total: number;
}

export interface PerplexityOptions extends JobOptions {
  /** The number of tokens in a window; the model's context when absent. */
  readonly window?: number;
  /** The number of tokens by which a window moves, which are the scored tokens at its end. Half a window when absent. */
  readonly stride?: number;
}

export interface Perplexity {
  readonly perplexity: number;
  /** The natural logarithm of the perplexity. */
  readonly crossEntropy: number;
  /** The number of scored tokens: all but the first. */
  readonly tokens: number;
  readonly windows: number;
}

export interface LogitsOptions extends JobOptions {
  /** Return a row for every token of the prompt, and not only for the last one. */
  readonly all?: boolean;
}

export interface ChatTemplateOptions {
  /** Another template: the name of one in `GeneratorInfo.chatTemplates`, or a text in Jinja. */
  readonly template?: string;
  /** Whether to append the start of an answer; true when absent. */
  readonly addGenerationPrompt?: boolean;
  /** More variables for the template: texts, numbers, lists and objects. The template runs in a worker, so functions
   *  cannot be given. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}
