// An opened model or tokenizer: a worker that holds it, and the calls it takes.
/// <reference lib="esnext.disposable" preserve="true" />

import type {
  Agreement,
  Classification,
  ClassifierInput,
  ClassifyOptions,
} from '../classifier/types.ts';
import type { ExplainOptions, Explanation } from '../encoder/explain-types.ts';
import type { EmbedOptions } from '../encoder/types.ts';
import { AmbryError } from '../errors.ts';
import type { FileInfo, TokenizerInfo } from '../files/inspect-types.ts';
import type {
  ChatMessage,
  ChatTemplateOptions,
  GenerateOptions,
  GenerationRun,
  LogitsOptions,
  Perplexity,
  PerplexityOptions,
  Prompt,
} from '../generator/types.ts';
import type { Channel } from '../rpc/channel.ts';
import type { Calls } from '../rpc/protocol.ts';
import type { Runtime } from '../runtime/connect.ts';
import type { Platform } from '../runtime/platform.ts';
import type { TokenizeOptions, Tokens } from '../tokenizer/types.ts';
import type { Words } from '../words/types.ts';
import type { OpenOptions } from './types.ts';

/** Text to tokens and back. Disposing of it ends its worker. */
export class Tokenizer {
  /** @internal */
  readonly channel: Channel<Calls>;
  /** What the tokenizer is: type, size, special tokens. */
  readonly tokenizer: TokenizerInfo | null;

  /** @internal */
  constructor(channel: Channel<Calls>, tokenizer: TokenizerInfo | null) {
    this.channel = channel;
    this.tokenizer = tokenizer;
  }

  /** Ids, token texts, segments and offsets of a text. Special tokens are added unless told otherwise. */
  tokenize(text: string, options: TokenizeOptions = {}): Promise<Tokens> {
    const { special, pair } = options;
    return this.channel.call('tokenize', {
      text: texts([text])[0] ?? '',
      options: { special, pair },
    });
  }

  /** How many tokens each text has, without special ones, however long it is. */
  async tokenCounts(given: readonly string[]): Promise<Uint32Array> {
    const { tokenCounts } = await import('../tokenizer/token-counts.ts');
    return tokenCounts(texts(given), this.tokenizer?.type, (text) =>
      this.tokenize(text, { special: false }),
    );
  }

  /** The text of these ids, without special tokens unless `skipSpecial` is false. */
  detokenize(
    ids: Iterable<number>,
    options: { readonly skipSpecial?: boolean } = {},
  ): Promise<string> {
    const { skipSpecial = true } = options;
    return this.channel.call('detokenize', { ids: [...ids], skipSpecial });
  }

  /** Ends the worker, which gives all memory back. Calls under way reject with `Cancelled`. */
  dispose(): Promise<void> {
    return this.channel.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }
}

/** A sentence encoder, word vectors, a network for pictures or a model that generates text, ready to run in a
 *  worker of its own. */
export class Model extends Tokenizer {
  /** What the file says: format, metadata, config, tokenizer, tensors. */
  readonly info: FileInfo;
  /** Numbers in a whole vector. */
  readonly dim: number;
  /** Bytes that the weights take in memory. */
  readonly weightBytes: number;
  /** Of word vectors; null for an encoder. */
  readonly words: Words | null;
  /**
   * The likeliest classes of a picture, or of a tensor of normalised numbers. Networks for pictures have it.
   *
   * Rejects with `Unsupported` where a plan is needed, with an error at `plan…` for one that does not fit
   * the file, with `BadValue` for an input that it cannot take, and with an `AbortError`.
   *
   * @example
   * const { top } = await model.classify(file, { topK: 3, plan });
   */
  declare readonly classify: (
    input: ClassifierInput,
    options?: ClassifyOptions,
  ) => Promise<Classification>;
  /**
   * How well another variant of this network, quantised or not, agrees with it over some inputs. Networks for
   * pictures have it.
   *
   * Rejects as `classify` does, with `Mismatch` for a network of other classes, and with `BadValue` without
   * inputs.
   *
   * @example
   * const { sameAnswer, inputs, largestDifference } = await floats.agreement(bytes, pictures, { plan });
   */
  declare readonly agreement: (
    other: Model,
    inputs: readonly ClassifierInput[],
    options?: Pick<ClassifyOptions, 'plan' | 'mode' | 'signal'>,
  ) => Promise<Agreement>;
  /**
   * Goes on with a prompt, token by token. Models of language have it. One answer at a time is under way;
   * another one waits. Leaving the loop ends it, and an abort rejects with an `AbortError`.
   *
   * Rejects with `BadValue` at `options…` or `prompt…`, and with `LimitExceeded` for a prompt that leaves
   * no room in the context.
   *
   * @example
   * for await (const { text } of model.generate('Once upon a time', { maxTokens: 50 })) write(text);
   *
   * @example
   * const { text } = await model.generate({ messages: [{ role: 'user', content: 'Hello' }] }).result;
   */
  declare readonly generate: (prompt: Prompt, options?: GenerateOptions) => GenerationRun;
  /** What the model thinks of every token of its vocabulary as the next one. Models of language have it. */
  declare readonly logits: (prompt: Prompt, options?: LogitsOptions) => Promise<Float32Array>;
  /** How surprising a text is to the model. Models of language have it. */
  declare readonly perplexity: (text: string, options?: PerplexityOptions) => Promise<Perplexity>;
  /** The file's own Jinja template for conversations; null without one. Models of language have it. */
  declare readonly chatTemplate: string | null;
  /** A conversation as the text that the model takes. Models of language have it. */
  declare readonly applyChatTemplate: (
    messages: readonly ChatMessage[],
    options?: ChatTemplateOptions,
  ) => Promise<string>;
  /** The build of the core that runs: `baseline` or `relaxed` SIMD. */
  readonly flavour: string;
  /** @internal Where its WebAssembly came from; an index of it takes the same. */
  readonly runtime: Runtime;
  /** @internal */
  readonly platform: Platform;
  /** @internal Workers that hold copies of it (crew.ts). */
  readonly copies = new Set<Channel<Calls>>();

  /** @internal */
  constructor(
    platform: Platform,
    channel: Channel<Calls>,
    opened: Calls['open']['out'],
    options: OpenOptions,
    words: Words | null = null,
  ) {
    super(channel, opened.info.tokenizer);
    this.platform = platform;
    this.info = opened.info;
    this.words = words;
    this.dim = words?.dim ?? Number(opened.info.config?.['hiddenSize'] ?? 0);
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
    const { wasmUrl, wasmBinary, wasmModule, deterministic, createWorker } = options;
    this.runtime = { wasmUrl, wasmBinary, wasmModule, deterministic, createWorker };
  }

  /**
   * Vectors of texts: row `i` of the result, `dim` numbers from `i * dim` on, belongs to text `i`. With
   * pooling `none` it is one array a text, of `tokens × dim` numbers.
   *
   * Rejects with `BadValue` for an option that is not known, with `LimitExceeded` for a text that is
   * too long under `truncate: 'error'`, and with an `AbortError` when the signal is aborted.
   *
   * @example
   * const vectors = await model.embed(['a cat', 'a dog']);
   * const cat = vectors.subarray(0, model.dim);
   */
  embed(
    text: string | readonly string[],
    options: EmbedOptions & { readonly pooling: 'none' },
  ): Promise<Float32Array[]>;
  embed(text: string | readonly string[], options?: EmbedOptions): Promise<Float32Array>;
  async embed(
    text: string | readonly string[],
    options: EmbedOptions = {},
  ): Promise<Float32Array | Float32Array[]> {
    const { signal, onProgress, workers = 1, ...settings } = options;
    const input = { texts: texts(typeof text === 'string' ? [text] : text), settings };
    const { vectors, dim, rowCounts } = await (workers === 1
      ? this.channel.call('embed', input, { signal, onProgress })
      : (await import('../encoder/pool/embed-pool.ts')).embedTogether(this, input, options));
    if (settings.pooling !== 'none') return vectors;
    let at = 0;
    return Array.from(rowCounts, (rows) => {
      const begin = at;
      at += rows * dim;
      return vectors.subarray(begin, at);
    });
  }

  /**
   * What each word piece of a text adds to its cosine with a query: the pieces' scores sum to it, exactly where
   * the model pools by a mean or a maximum. An index of int8 vectors has the cosine to three places.
   *
   * Rejects with `Unsupported` where that cannot be told: models that take one token's vector for the whole
   * text, and what is no sentence encoder.
   *
   * @example
   * const { score, pieces } = await model.explain('feline sounds', 'Cats purr.');
   * const [most] = pieces.toSorted((a, b) => b.score - a.score);
   */
  async explain(query: string, text: string, options: ExplainOptions = {}): Promise<Explanation> {
    return (await import('../encoder/explain.ts')).explain(this, query, text, options);
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    for (const copy of this.copies) await copy.close();
  }
}

function texts(given: readonly unknown[]): readonly string[] {
  given.forEach((text, i) => {
    if (typeof text === 'string') return;
    throw new AmbryError('BadValue', `A text must be a string, not ${typeof text}.`, {
      path: `texts[${i}]`,
    });
  });
  return given as readonly string[];
}
