// A sparse encoder, on the caller's side.
import { checkMethods } from '../base/call.ts';
import { count, flag, options, textOrTexts } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import { checkTexts } from '../model/check-texts.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { Connection } from '../runtime/connect.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import { Tokenizer } from '../tokenizer/client.ts';
import type { SparseCalls } from './protocol.ts';
import type { EmbedSparseOptions, SparseVector } from './types.ts';
import { sparseVectorsOf } from './vectors.ts';

const embedSparseOptionNames: OptionNames<EmbedSparseOptions> = {
  ...jobOptionNames,
  as: true,
  k: count,
  words: flag,
  truncate: true,
};

/**
 * A sparse encoder, such as SPLADE: it gives the words of its vocabulary that matter to a text, and how much. They need not be
 * in the text. It runs in a worker of its own.
 *
 * @example
 * const model = await open('/models/splade/', { kind: 'sparseEncoder' });
 * const { words, weights } = await model.embedSparse('Cats purr.', { k: 8, words: true });
 * words.forEach((word, i) => console.log(word, weights[i]));
 */
export class SparseEncoder extends Tokenizer implements ModelFacts {
  readonly kind = 'sparseEncoder';
  readonly info: FileInfo;
  /** The size of the vocabulary. All ids are below it. */
  readonly dimensions: number;
  /** Whether the words of queries have fixed weights, so that `as: 'query'` does not run the model. */
  readonly hasFixedQueries: boolean;
  readonly weightBytes: number;
  readonly flavour: string;
  /** @internal */
  declare readonly connection: Connection<SparseCalls>;

  /** @internal */
  constructor(connection: Connection<SparseCalls>, opened: OpenedModel) {
    super(connection, opened.info.tokenizer);
    this.info = opened.info;
    this.dimensions = Number(opened.info.config?.['vocabSize'] ?? 0);
    this.hasFixedQueries =
      (opened.info.config?.['tokenHead'] as { fixedQueries?: boolean } | undefined)
        ?.fixedQueries === true;
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * The words of a text and their weights, the largest weight first. A list of texts gives an array with one vector for each
   * text. `sparseDot` says how well two vectors match.
   *
   * Queries are read as documents are, unless the model has fixed weights for the words of queries (`hasFixedQueries`): then
   * `as: 'query'` looks these up, and the model does not run.
   *
   * Rejects with `BadValue` for options out of range, with `LimitExceeded` for a text that is too long under
   * `truncate: 'error'`, and with an `AbortError` when the signal is aborted.
   *
   * @example
   * const query = await model.embedSparse('how do cats sleep?', { as: 'query' });
   * const [cats] = await model.embedSparse(['Cats sleep in short naps.'], { k: 64 });
   * console.log(sparseDot(query, cats));
   */
  embedSparse(
    text: string,
    options: EmbedSparseOptions & { readonly words: true },
  ): Promise<Required<SparseVector>>;
  embedSparse(
    texts: readonly string[],
    options: EmbedSparseOptions & { readonly words: true },
  ): Promise<Required<SparseVector>[]>;
  embedSparse(text: string, options?: EmbedSparseOptions): Promise<SparseVector>;
  embedSparse(texts: readonly string[], options?: EmbedSparseOptions): Promise<SparseVector[]>;
  embedSparse(
    texts: string | readonly string[],
    options?: EmbedSparseOptions,
  ): Promise<SparseVector | SparseVector[]>;
  async embedSparse(
    given: string | readonly string[],
    options: EmbedSparseOptions = {},
  ): Promise<SparseVector | SparseVector[]> {
    await refuseUnknown(options, embedSparseOptionNames);
    const { signal, onProgress, words = false, ...settings } = options;
    const isOne = typeof given === 'string';
    const texts = checkTexts(isOne ? [given] : given);
    const rows = await this.connection.channel.call(
      'embedSparse',
      { texts, settings, words },
      { signal, onProgress },
    );
    const vectors = sparseVectorsOf(rows);
    return isOne ? (vectors[0] as SparseVector) : vectors;
  }
}

checkMethods(SparseEncoder, { embedSparse: { texts: textOrTexts, options } });
