// A token classifier, on the caller's side.
import { checkMethods } from '../base/call.ts';
import { options, textOrTexts } from '../base/kinds.ts';
import { refuseUnknown } from '../base/options.ts';
import { checkTexts } from '../model/check-texts.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { Connection } from '../runtime/connect.ts';
import type { TokenHeadCalls } from '../token-head/protocol.ts';
import type { TokenHeadInfo } from '../token-head/types.ts';
import { Tokenizer } from '../tokenizer/client.ts';
import { checkTagOptions, redactOptionNames, tagOptionNames } from './check-options.ts';
import { entitiesOf } from './entities.ts';
import { taggedTexts } from './tag-texts.ts';
import type { RedactOptions, TagOptions, TextEntity } from './types.ts';

/**
 * A token classifier: an encoder that gives a label to every token of a text. It finds names of persons, places and
 * organizations, personal data, parts of speech, or what else it was trained for. It runs in a worker of its own.
 *
 * @example
 * const model = await open('/models/bert-base-NER.weights', { kind: 'tokenClassifier' });
 * const entities = await model.tag('Ada Lovelace lived in London.');
 * console.log(entities[0]?.label, entities[0]?.text); // PER Ada Lovelace
 */
export class TokenClassifier extends Tokenizer implements ModelFacts {
  readonly kind = 'tokenClassifier';
  readonly info: FileInfo;
  /** The labels of tokens in the order of their indices, such as `O`, `B-PER`, `I-PER`. */
  readonly labels: readonly string[];
  readonly weightBytes: number;
  readonly flavour: string;
  /** @internal */
  declare readonly connection: Connection<TokenHeadCalls>;

  /** @internal */
  constructor(connection: Connection<TokenHeadCalls>, opened: OpenedModel) {
    super(connection, opened.info.tokenizer);
    this.info = opened.info;
    this.labels = (opened.info.config?.['tokenHead'] as TokenHeadInfo).labels;
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * The entities of a text, in the order of the text: each with its label, its place, its part of the text as it was given, and
   * a score. A list of texts gives a list for each of them.
   *
   * Entities are those of Transformers' pipeline for token classification. A text that is longer than the model takes is read
   * in windows that overlap, so that all of it is read. Where two windows differ, the longer entity stays, and of equally long
   * ones the one with the higher score.
   *
   * Rejects with `BadValue` for what is no text, for options out of range and for labels that the model does not have, and with
   * an `AbortError`.
   *
   * @example
   * for (const { label, start, end, text } of await model.tag('Grace Hopper was born in New York.')) {
   *   console.log(label, start, end, text);
   * }
   *
   * @example
   * const [first, second] = await model.tag(['Ada lived in London.', 'No names.'], { aggregation: 'max', threshold: 0.8 });
   */
  tag(text: string, options?: TagOptions): Promise<TextEntity[]>;
  tag(texts: readonly string[], options?: TagOptions): Promise<TextEntity[][]>;
  async tag(
    given: string | readonly string[],
    options: TagOptions = {},
  ): Promise<TextEntity[] | TextEntity[][]> {
    await refuseUnknown(options, tagOptionNames);
    checkTagOptions(options, this.labels);
    const texts = checkTexts(typeof given === 'string' ? [given] : given);
    const spans = await taggedTexts(this.connection, texts, this.labels, options);
    const each = texts.map((text, i) => entitiesOf(text, spans[i] ?? [], options));
    return typeof given === 'string' ? (each[0] ?? []) : each;
  }

  /**
   * The text with its entities replaced, by `[PER]` and the like unless `replacement` says otherwise. A list of texts gives a
   * list. White space at the ends of an entity stays.
   *
   * A model misses some entities, so what is left may still name someone. With `aggregation: 'max'` a word of which the model
   * knows a part is replaced as a whole.
   *
   * Rejects as `tag` does.
   *
   * @example
   * const safe = await model.redact('Ada Lovelace lived in London.', { labels: ['PER'] });
   * console.log(safe); // [PER] lived in London.
   *
   * @example
   * const stars = await model.redact('Ada lived in London.', { replacement: ({ text }) => '*'.repeat(text.length) });
   */
  redact(text: string, options?: RedactOptions): Promise<string>;
  redact(texts: readonly string[], options?: RedactOptions): Promise<string[]>;
  async redact(
    given: string | readonly string[],
    options: RedactOptions = {},
  ): Promise<string | string[]> {
    await refuseUnknown(options, redactOptionNames);
    checkTagOptions(options, this.labels);
    const texts = checkTexts(typeof given === 'string' ? [given] : given);
    const [spans, { redacted }] = await Promise.all([
      taggedTexts(this.connection, texts, this.labels, options),
      import('./redact.ts'),
    ]);
    const each = texts.map((text, i) => redacted(text, spans[i] ?? [], options));
    return typeof given === 'string' ? (each[0] ?? '') : each;
  }
}

checkMethods(TokenClassifier, {
  tag: { texts: textOrTexts, options },
  redact: { texts: textOrTexts, options },
});
