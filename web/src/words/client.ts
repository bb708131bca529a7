// Word vectors on the caller's side.
import { checkMethods } from '../base/call.ts';
import { options, textOrTexts } from '../base/kinds.ts';
import type { EmbedOptions } from '../model/embed-types.ts';
import { type EmbedInput, embedTexts } from '../model/embedding.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { OpenedModel } from '../model/protocol.ts';
import { WorkerResource } from '../model/resource.ts';
import type { ModelFacts } from '../model/types.ts';
import type { Connection } from '../runtime/connect.ts';
import { WordLookups } from './lookups.ts';
import type { WordsCalls } from './protocol.ts';
import type { Words, WordsInfo } from './types.ts';

/**
 * Word vectors. They are searched in a worker of their own.
 *
 * @example
 * const model = await open('vectors.fifu', { kind: 'words' });
 * const nearest = await model.words.similar('Berlin', { k: 3 });
 */
export class WordVectors extends WorkerResource<WordsCalls> implements ModelFacts {
  readonly kind = 'words';
  readonly info: FileInfo & { readonly words: WordsInfo };
  /** Lookups, nearest words and analogies. */
  readonly words: Words;
  /** The length of a vector. */
  readonly dim: number;
  readonly weightBytes: number;
  readonly flavour: string;

  /** @internal */
  constructor(connection: Connection<WordsCalls>, opened: OpenedModel) {
    super(connection);
    this.info = opened.info as FileInfo & { readonly words: WordsInfo };
    this.words = new WordLookups(connection.channel, this.info.words);
    this.dim = this.words.dim;
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * Vectors of texts, made of the vectors of their words. Row `i` of the result belongs to text `i`: `dim` values from
   * `i * dim` on. Poolings are `mean` and `sif`; texts are cut into words at spaces. Words without a vector are left
   * out; a text that has only such words gives zeros (`words.vectors` says which words are found).
   *
   * Rejects with `BadValue` for an unknown option and with an `AbortError` when the signal is aborted.
   */
  embed(text: string | readonly string[], options: EmbedOptions = {}): Promise<Float32Array> {
    const run = (input: EmbedInput, call: Parameters<typeof this.connection.channel.call>[2]) =>
      this.connection.channel.call('embed', input, call);
    return embedTexts(text, options, run) as Promise<Float32Array>;
  }
}

checkMethods(WordVectors, { embed: { texts: textOrTexts, options } });
