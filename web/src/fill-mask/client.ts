// A model that fills in missing words, on the caller's side.
import { checkMethods } from '../base/call.ts';
import { count, options, text, texts } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import { bad } from '../classification-head/check-inputs.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { Connection } from '../runtime/connect.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import type { TokenHeadCalls } from '../token-head/protocol.ts';
import { windowsOf } from '../token-head/token-windows.ts';
import { Tokenizer } from '../tokenizer/client.ts';
import { bestTokens } from './best-tokens.ts';
import { type CandidateToken, candidateTokens } from './candidates.ts';
import { filledText, filledWithPiece, type Mask, maskCount, masksIn, placeOf } from './masks.ts';
import { type FillOptions, fillDefaults, type MaskFill } from './types.ts';

const fillOptionNames: OptionNames<FillOptions> = {
  ...jobOptionNames,
  k: count,
  candidates: texts,
};

/**
 * A model that fills in missing words (a masked language model): an encoder whose head gives a number for each token of its
 * vocabulary. It runs in a worker of its own. Without the `kind`, such a file opens as an `Encoder`.
 *
 * @example
 * const model = await open('/models/bert-base-uncased/', { kind: 'fillMask' });
 * const [words = []] = await model.fill(`Cats sleep on the ${model.maskToken}.`);
 * for (const { text, score } of words) console.log(text, score);
 */
export class MaskFiller extends Tokenizer implements ModelFacts {
  readonly kind = 'fillMask';
  readonly info: FileInfo;
  /** What stands for a missing word in a text: `[MASK]`, `<mask>` or another one. */
  readonly maskToken: string;
  readonly weightBytes: number;
  readonly flavour: string;
  /** @internal */
  declare readonly connection: Connection<TokenHeadCalls>;

  /** @internal */
  constructor(connection: Connection<TokenHeadCalls>, opened: OpenedModel, maskToken: string) {
    super(connection, opened.info.tokenizer);
    this.info = opened.info;
    this.maskToken = maskToken;
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * The words that may stand in the place of each mask, the most likely first: 5 of them unless `k` says another number. There
   * is a list for each mask of the text in their order, so that a text with one mask gives one list.
   *
   * Scores are probabilities among all tokens of the model, also with `candidates`. Each mask is judged with the others
   * missing. In a text that is longer than the model takes, it is judged by the words around it.
   *
   * Rejects with `BadValue` at `text` for a text without a mask, at `options.candidates…` for a word that is not one token of the
   * model, for options out of range, and with an `AbortError`.
   *
   * @example
   * const candidates = ['cat', 'dog'];
   * const [words = []] = await model.fill(`The ${model.maskToken} purrs.`, { candidates });
   * console.log(words[0]?.filled); // The cat purrs.
   */
  async fill(given: string, options: FillOptions = {}): Promise<MaskFill[][]> {
    const refusal = refuseUnknown(options, fillOptionNames);
    if (refusal) {
      return refusal;
    }
    const { k = fillDefaults.k, candidates, signal, onProgress } = options;
    const allowed = candidates && (await this.#candidates(candidates));
    const rows = await this.connection.channel.call(
      'tokenRows',
      { inputs: [given], settings: { list: 'texts', rows: 'masks' } },
      { signal, onProgress },
    );
    const [windows = []] = windowsOf(rows, 1, maskCount);
    const masks = masksIn(windows, rows.width);
    if (masks.length === 0) {
      throw bad(
        `The text has no ${this.maskToken}. Write it in the place of the missing word.`,
        'text',
      );
    }
    return Promise.all(masks.map((mask) => this.#fillsOf(given, mask, k, allowed)));
  }

  #candidates(candidates: readonly string[]): Promise<CandidateToken[]> {
    if (candidates.length === 0) {
      throw bad('There must be at least one word.', 'options.candidates');
    }
    const { channel } = this.connection;
    return candidateTokens(candidates, this.tokenizer?.special['unk'], (text) =>
      channel.call('tokenize', { text, options: { special: false } }),
    );
  }

  #fillsOf(
    text: string,
    mask: Mask,
    k: number,
    allowed: readonly CandidateToken[] | undefined,
  ): Promise<MaskFill[]> {
    const place = placeOf(text, mask, this.maskToken);
    const isAfterSpace = /\s$/.test(text.slice(0, place[0]));
    const ids = allowed?.map((token) => (isAfterSpace ? token.afterSpace : token.alone));
    const { channel } = this.connection;
    const filledWith = this.tokenizer?.type === 'wordpiece' ? filledWithPiece : filledText;
    return Promise.all(
      bestTokens(mask.logits, k, ids).map(async ({ id, score }) => {
        const word = await channel.call('detokenize', { ids: [id], skipSpecial: false });
        return { text: word.trim(), id, score, filled: filledWith(text, place, word) };
      }),
    );
  }
}

checkMethods(MaskFiller, { fill: { text, options } });
