// Lookups, nearest words and analogies on the caller's side.
import { AmbryError } from '../errors.ts';
import type { Channel } from '../rpc/channel.ts';
import type { JobOptions } from '../rpc/types.ts';
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
    { unnormalized = false, signal }: WordVectorOptions = {},
  ): Promise<WordVectorBatch> {
    words.forEach((word, i) => {
      check(word, `words[${i}]`);
    });
    return this.#channel.call('wordVectors', { words, unnormalized }, { signal });
  }

  async explain(
    word: string,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<WordExplanation> {
    return this.#channel.call('explainWord', { word: check(word, 'word') }, { signal });
  }

  async similar(
    query: string | Float32Array,
    { signal, onProgress, ...settings }: SimilarOptions = {},
  ): Promise<ScoredWord[]> {
    if (!(query instanceof Float32Array)) check(query, 'word');
    return this.#channel.call('similarWords', { query, settings }, { signal, onProgress });
  }

  async analogy(
    a: string,
    b: string,
    c: string,
    { signal, onProgress, ...settings }: AnalogyOptions = {},
  ): Promise<ScoredWord[]> {
    const words = [check(a, 'a'), check(b, 'b'), check(c, 'c')] as const;
    return this.#channel.call('analogy', { words, settings }, { signal, onProgress });
  }

  async accuracy(
    questions: string,
    { signal, onProgress }: JobOptions = {},
  ): Promise<AccuracyReport> {
    const input = { questions: check(questions, 'questions') };
    return this.#channel.call('accuracy', input, { signal, onProgress });
  }

  async list({
    offset = 0,
    limit = 100,
  }: {
    readonly offset?: number;
    readonly limit?: number;
  } = {}): Promise<string[]> {
    for (const [path, count] of Object.entries({ offset, limit })) {
      if (Number.isSafeInteger(count) && count >= 0) continue;
      throw new AmbryError('BadValue', `This must be an integer, 0 or greater, not ${count}.`, {
        path,
      });
    }
    return this.#channel.call('listWords', { offset, limit });
  }
}

function check(text: unknown, path: string): string {
  if (typeof text === 'string') return text;
  throw new AmbryError('BadValue', `A word must be a string, not ${typeof text}.`, { path });
}
