// Lookups, nearest words and analogies on the caller's side.

import { checkMethods } from '../base/call.ts';
import { AmbryError } from '../base/errors.ts';
import { flag, type Kind, number, options, signal, text, texts } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import type { Channel } from '../rpc/channel.ts';
import type { JobOptions } from '../rpc/types.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import type { WordsCalls } from './protocol.ts';
import type {
  AccuracyReport,
  AnalogyOptions,
  ScoredWord,
  SimilarOptions,
  WordExplanation,
  Words,
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

export class WordLookups implements Words {
  readonly kind: string;
  readonly storage: WordsInfo['storage'];
  readonly size: number;
  readonly dim: number;
  readonly rows: number;
  readonly hasNorms: boolean;
  readonly #channel: Channel<WordsCalls>;

  constructor(channel: Channel<WordsCalls>, info: WordsInfo) {
    this.#channel = channel;
    this.kind = info.kind;
    this.storage = info.storage;
    this.size = info.size;
    this.dim = info.dim;
    this.rows = info.rows;
    this.hasNorms = info.hasNorms;
  }

  async vector(word: string, options: WordVectorOptions = {}): Promise<Float32Array | null> {
    const { vectors, found } = await this.vectors([word], options);
    return found[0] === 'none' ? null : vectors;
  }

  async vectors(
    words: readonly string[],
    options: WordVectorOptions = {},
  ): Promise<WordVectorBatch> {
    const refusal = refuseUnknown(options, vectorOptionNames);
    if (refusal) {
      return refusal;
    }
    const { unnormalized = false, signal } = options;
    return this.#channel.call('wordVectors', { words, unnormalized }, { signal });
  }

  async explain(word: string, options: ExplainOptions = {}): Promise<WordExplanation> {
    const refusal = refuseUnknown(options, explainOptionNames);
    if (refusal) {
      return refusal;
    }
    const { signal } = options;
    return this.#channel.call('explainWord', { word }, { signal });
  }

  async similar(query: string | Float32Array, options: SimilarOptions = {}): Promise<ScoredWord[]> {
    const refusal = refuseUnknown(options, similarOptionNames);
    if (refusal) {
      return refusal;
    }
    const { signal, onProgress, ...settings } = options;
    return this.#channel.call('similarWords', { query, settings }, { signal, onProgress });
  }

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
    return this.#channel.call('analogy', { words, settings }, { signal, onProgress });
  }

  async accuracy(questions: string, options: JobOptions = {}): Promise<AccuracyReport> {
    const refusal = refuseUnknown(options, jobOptionNames);
    if (refusal) {
      return refusal;
    }
    const { signal, onProgress } = options;
    return this.#channel.call('accuracy', { questions }, { signal, onProgress });
  }

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
    return this.#channel.call('listWords', { offset, limit });
  }
}

checkMethods(WordLookups, {
  vector: { word: text, options },
  vectors: { words: texts, options },
  explain: { word: text, options },
  similar: { word: wordOrVector, options },
  analogy: { a: text, b: text, c: text, options },
  accuracy: { questions: text, options },
  list: { options },
});
