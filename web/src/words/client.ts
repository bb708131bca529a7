// Word vectors on the caller's side.
import { checkMethods } from '../base/call.ts';
import { AmbryError } from '../base/errors.ts';
import {
  flag,
  type Kind,
  number,
  options,
  signal,
  text,
  textOrTexts,
  texts,
} from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import type {
  EmbedMatrixOptions,
  EmbedOptions,
  EmbedVectorsOptions,
} from '../model/embed-types.ts';
import { type EmbedInput, embedTexts } from '../model/embedding.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import type { OpenedModel } from '../model/protocol.ts';
import { WorkerResource } from '../model/resource.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { Connection } from '../runtime/connect.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import type { WordsCalls } from './protocol.ts';
import type {
  AccuracyReport,
  AnalogyOptions,
  ScoredWord,
  SimilarOptions,
  WordExplanation,
  WordsInfo,
  WordVectorBatch,
  WordVectorOptions,
} from './types.ts';

interface ExplainOptions {
  readonly signal?: AbortSignal;
}
interface ListOptions {
  readonly offset?: number;
  readonly limit?: number;
}

const explainOptionNames: OptionNames<ExplainOptions> = { signal };
const listOptionNames: OptionNames<ListOptions> = { offset: number, limit: number };
const vectorOptionNames: OptionNames<WordVectorOptions> = { unnormalized: flag, signal };
const nearOptionNames: OptionNames<JobOptions & Pick<SimilarOptions, 'k' | 'metric'>> = {
  ...jobOptionNames,
  k: true,
  metric: true,
};
const similarOptionNames: OptionNames<SimilarOptions> = { ...nearOptionNames, exclude: texts };
const analogyOptionNames: OptionNames<AnalogyOptions> = { ...nearOptionNames, include: texts };

const wordOrVector: Kind = {
  words: 'a word or a Float32Array',
  is: (value) => text.is(value) || value instanceof Float32Array,
};

/**
 * Word vectors. They are searched in a worker of their own.
 *
 * @example
 * const model = await open('vectors.fifu', { kind: 'words' });
 * const nearest = await model.similar('Berlin', { k: 3 });
 */
export class WordVectors extends WorkerResource<WordsCalls> implements ModelFacts {
  readonly kind = 'words';
  readonly info: FileInfo & { readonly words: WordsInfo };
  /** The number of words; 0 for floret, which has only n-grams. */
  readonly size: number;
  /** The length of a vector. */
  readonly dim: number;
  readonly weightBytes: number;
  readonly flavour: string;

  /** @internal */
  constructor(connection: Connection<WordsCalls>, opened: OpenedModel) {
    super(connection);
    this.info = opened.info as FileInfo & { readonly words: WordsInfo };
    this.size = this.info.words.size;
    this.dim = this.info.words.dim;
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * The vector of a text, made of the vectors of its words: a `Float32Array` of `dim` values. A list of texts gives an
   * array with one for each text, each with a buffer of its own. With `as: 'matrix'` the result is one `Float32Array` with
   * all rows: the values of text `i` begin at `i * dim`. Poolings are `mean` and `sif`; texts are cut into words at spaces. Words without a vector are left
   * out; a text that has only such words gives zeros (`vectors` says which words are found).
   *
   * Rejects with `BadValue` for an unknown option and with an `AbortError` when the signal is aborted.
   *
   * @example
   * const words = await open('vectors.fifu', { kind: 'words' });
   * const [east, west] = await words.embed(['north east', 'south west']);
   */
  embed(
    texts: string | readonly string[],
    options: EmbedMatrixOptions,
  ): Promise<Float32Array<ArrayBuffer>>;
  embed(text: string, options?: EmbedOptions): Promise<Float32Array<ArrayBuffer>>;
  embed(
    texts: readonly string[],
    options?: EmbedVectorsOptions,
  ): Promise<Float32Array<ArrayBuffer>[]>;
  embed(
    texts: string | readonly string[],
    options?: EmbedOptions,
  ): Promise<Float32Array<ArrayBuffer> | Float32Array<ArrayBuffer>[]>;
  embed(
    texts: string | readonly string[],
    options: EmbedOptions = {},
  ): Promise<Float32Array<ArrayBuffer> | Float32Array<ArrayBuffer>[]> {
    const run = (input: EmbedInput, call: Parameters<typeof this.connection.channel.call>[2]) =>
      this.connection.channel.call('embed', input, call);
    return embedTexts(texts, options, run);
  }

  /** The vector of a known word, or the sum of the n-grams of an unknown one; null for a word without a vector. */
  async vector(word: string, options: WordVectorOptions = {}): Promise<Float32Array | null> {
    const { vectors, found } = await this.vectors([word], options);
    return found[0] === 'none' ? null : vectors;
  }

  /** The vectors of several words, as one block of `dim` values per word. */
  async vectors(
    words: readonly string[],
    options: WordVectorOptions = {},
  ): Promise<WordVectorBatch> {
    const refusal = refuseUnknown(options, vectorOptionNames);
    if (refusal) {
      return refusal;
    }
    const { unnormalized = false, signal } = options;
    return this.connection.channel.call('wordVectors', { words, unnormalized }, { signal });
  }

  /** How a word got its vector, or why it has none. */
  async explain(word: string, options: ExplainOptions = {}): Promise<WordExplanation> {
    const refusal = refuseUnknown(options, explainOptionNames);
    if (refusal) {
      return refusal;
    }
    const { signal } = options;
    return this.connection.channel.call('explainWord', { word }, { signal });
  }

  /** The words that are most similar to a word or a vector, best first. Equal scores are sorted by the words' bytes.
   *  Rejects with `NotFound` and the path `word` for a word without a vector. */
  async similar(query: string | Float32Array, options: SimilarOptions = {}): Promise<ScoredWord[]> {
    const refusal = refuseUnknown(options, similarOptionNames);
    if (refusal) {
      return refusal;
    }
    const { signal, onProgress, ...settings } = options;
    return this.connection.channel.call(
      'similarWords',
      { query, settings },
      { signal, onProgress },
    );
  }

  /** Answers the question: `a` is to `b` as `c` is to what? Rejects with `NotFound` and the path `a`, `b` or `c` for
   *  a word without a vector. */
  async analogy(
    a: string,
    b: string,
    c: string,
    options: AnalogyOptions = {},
  ): Promise<ScoredWord[]> {
    const refusal = refuseUnknown(options, analogyOptionNames);
    if (refusal) {
      return refusal;
    }
    const { signal, onProgress, ...settings } = options;
    const words = [a, b, c] as const;
    return this.connection.channel.call('analogy', { words, settings }, { signal, onProgress });
  }

  /** Answers analogy questions and counts the right answers. The lines are `: section` and `a b c d`. */
  async accuracy(questions: string, options: JobOptions = {}): Promise<AccuracyReport> {
    const refusal = refuseUnknown(options, jobOptionNames);
    if (refusal) {
      return refusal;
    }
    const { signal, onProgress } = options;
    return this.connection.channel.call('accuracy', { questions }, { signal, onProgress });
  }

  /** Words in the order of their rows, for example for completion; the first 100 by default. */
  async list(options: ListOptions = {}): Promise<string[]> {
    const refusal = refuseUnknown(options, listOptionNames);
    if (refusal) {
      return refusal;
    }
    const { offset = 0, limit = 100 } = options;
    for (const [path, count] of Object.entries({ offset, limit })) {
      if (Number.isSafeInteger(count) && count >= 0) {
        continue;
      }
      throw new AmbryError('BadValue', `This must be an integer, 0 or greater, not ${count}.`, {
        path,
      });
    }
    return this.connection.channel.call('listWords', { offset, limit });
  }
}

checkMethods(WordVectors, {
  embed: { texts: textOrTexts, options },
  vector: { word: text, options },
  vectors: { words: texts, options },
  explain: { word: text, options },
  similar: { word: wordOrVector, options },
  analogy: { a: text, b: text, c: text, options },
  accuracy: { questions: text, options },
  list: { options },
});
