// A model that answers questions from a text, on the caller's side.
import { checkMethods } from '../base/call.ts';
import { options, text, textOrTexts } from '../base/kinds.ts';
import { refuseUnknown } from '../base/options.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { Connection } from '../runtime/connect.ts';
import { codePointsOf } from '../token-head/offsets.ts';
import type { TokenHeadCalls } from '../token-head/protocol.ts';
import { windowsOf } from '../token-head/token-windows.ts';
import { Tokenizer } from '../tokenizer/client.ts';
import { answerOptionNames, questionPairs } from './check-question.ts';
import { answersIn } from './spans.ts';
import { type AnswerOptions, answerDefaults, type ExtractedAnswer } from './types.ts';
import { windowFor } from './window.ts';

/**
 * A model that answers questions from a text (extractive question answering): an encoder whose head says of each token whether
 * an answer begins or ends with it. The answer is a part of the text, word for word. It runs in a worker of its own.
 *
 * @example
 * const model = await open('/models/tinyroberta-squad2/', { kind: 'questionAnswering' });
 * const [best] = await model.answer('Where do cats sleep?', 'Most cats sleep in the warm kitchen.');
 * console.log(best?.text, best?.score); // in the warm kitchen 0.87
 */
export class QuestionAnswerer extends Tokenizer implements ModelFacts {
  readonly kind = 'questionAnswering';
  readonly info: FileInfo;
  readonly weightBytes: number;
  readonly flavour: string;
  /** @internal */
  declare readonly connection: Connection<TokenHeadCalls>;

  /** @internal */
  constructor(connection: Connection<TokenHeadCalls>, opened: OpenedModel) {
    super(connection, opened.info.tokenizer);
    this.info = opened.info;
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * The parts of a text that answer a question, the best first: one of them, unless `k` says another number. A list of texts
   * gives a list for each of them. A text without words has no answers.
   *
   * Texts may be of any length. A long one is read in windows that overlap, each with the question, and its best answer is the
   * best of all windows.
   *
   * Scores are those of Transformers' pipeline, and an answer is made of whole words: it is widened to the letters and digits
   * that touch it, and to all pieces of a word that the tokenizer has cut. Where spaces do not part words, as in Chinese or Thai,
   * it stays as the model chose it. Answers of the same words are one answer, with the best of their scores.
   *
   * With `noAnswer`, that the text has no answer is one of the answers, with an empty text.
   *
   * Rejects with `BadValue` for an empty question, for what is no text and for options out of range, with `LimitExceeded` for a
   * question that leaves no place for a text, and with an `AbortError`.
   *
   * @example
   * const answers = await model.answer('Where do cats sleep?', passage, { k: 3, noAnswer: true });
   * for (const { text, start, end, score } of answers) console.log(text, start, end, score);
   */
  answer(question: string, context: string, options?: AnswerOptions): Promise<ExtractedAnswer[]>;
  answer(
    question: string,
    contexts: readonly string[],
    options?: AnswerOptions,
  ): Promise<ExtractedAnswer[][]>;
  async answer(
    question: string,
    given: string | readonly string[],
    options: AnswerOptions = {},
  ): Promise<ExtractedAnswer[] | ExtractedAnswer[][]> {
    const refusal = refuseUnknown(options, answerOptionNames);
    if (refusal) {
      return refusal;
    }
    const contexts = typeof given === 'string' ? [given] : given;
    const inputs = questionPairs(question, contexts);
    const { signal, onProgress } = options;
    const settings = {
      list: 'contexts',
      rows: 'all',
      ...windowFor(question, this.info, options.overlap),
    } as const;
    const call = { signal, onProgress };
    const rows = await this.connection.channel.call('tokenRows', { inputs, settings }, call);
    const { k = answerDefaults.k, maxAnswerTokens = answerDefaults.maxAnswerTokens } = options;
    const { noAnswer = answerDefaults.noAnswer } = options;
    const rules = { k, maxAnswerTokens, noAnswer, cutsWords: this.tokenizer?.type === 'wordpiece' };
    const windows = windowsOf(rows, contexts.length, (window) => window.length);
    const each = contexts.map((context, i) => {
      const answers = answersIn(windows[i] ?? [], context, rules);
      return options.offsets === 'codePoints' ? inCodePoints(context, answers) : answers;
    });
    return typeof given === 'string' ? (each[0] ?? []) : each;
  }
}

function inCodePoints(text: string, answers: readonly ExtractedAnswer[]): ExtractedAnswer[] {
  const at = codePointsOf(text);
  return answers.map((answer) => ({ ...answer, start: at(answer.start), end: at(answer.end) }));
}

checkMethods(QuestionAnswerer, { answer: { question: text, contexts: textOrTexts, options } });
