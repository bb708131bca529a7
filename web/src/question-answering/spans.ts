// The answers in a text by the numbers of its tokens: by the rules of `QuestionAnsweringPipeline` in Transformers. They differ
// in two points. Tokens of the question are never part of an answer, however small all probabilities are. Answers of the same
// words are one, with the best of their scores, so that the scores do not depend on how many answers are asked for.
import { softmax } from '../classification-head/probabilities.ts';
import { BestFew } from '../token-head/best-few.ts';
import type { TokenWindow, WindowRows } from '../token-head/token-windows.ts';
import type { AnswerOptions, ExtractedAnswer } from './types.ts';
import { wordEndsOf } from './words.ts';

/** What takes the place of the numbers of tokens that are no answer. */
const masked = -10000;

/** The number of a token that an answer begins with it, and that an answer ends with it. */
const numbersInRow = 2;

export interface AnswerRules extends Required<Pick<AnswerOptions, 'k' | 'maxAnswerTokens'>> {
  readonly noAnswer: boolean;
  /** The tokenizer marks the pieces of words by itself. */
  readonly cutsWords: boolean;
}

/** The best answers of all windows of a text, the best first. */
export function answersIn(
  windows: readonly WindowRows[],
  text: string,
  rules: AnswerRules,
): ExtractedAnswer[] {
  const { k, noAnswer } = rules;
  const best = new BestFew(k);
  const factor = text.length + 1;
  let noneScore = 1;
  for (const { window, logits } of windows) {
    const chances = chancesOf(window, logits);
    noneScore = Math.min(noneScore, chances.none);
    for (const [begin, end, score] of spansOf(window, chances, text, rules)) {
      best.add(begin * factor + end, score);
    }
  }
  const found = best.bestFirst().map(([key, score]) => {
    const start = Math.floor(key / factor);
    const end = key % factor;
    return { text: text.slice(start, end), start, end, score };
  });
  if (!noAnswer) {
    return found.sort(byScore);
  }
  const none = { text: '', start: 0, end: 0, score: noneScore };
  return [...found.sort(byScore), none].sort((a, b) => b.score - a.score).slice(0, k);
}

const byScore = (a: ExtractedAnswer, b: ExtractedAnswer): number =>
  b.score - a.score || a.start - b.start || a.end - b.end;

interface Chances {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** That the window has no answer, which its first token says. */
  readonly none: number;
}

function chancesOf(window: TokenWindow, logits: Float32Array): Chances {
  const [starts, ends] = [0, 1].map((at) =>
    softmax(
      Array.from({ length: window.length }, (_, i) =>
        mayAnswer(window, i) || saysNone(window, i)
          ? (logits[i * numbersInRow + at] ?? masked)
          : masked,
      ),
    ),
  ) as [number[], number[]];
  return { starts, ends, none: (starts[0] ?? 1) * (ends[0] ?? 1) };
}

const mayAnswer = (window: TokenWindow, token: number): boolean =>
  window.is(token, 'second') && !window.is(token, 'special');

/** The first token, `[CLS]` or `<s>`, stands for a window without an answer. */
const saysNone = (window: TokenWindow, token: number): boolean =>
  token === 0 && window.is(token, 'special');

type Span = readonly [begin: number, end: number, score: number];

/** The best answers of a window, widened to whole words. */
function* spansOf(
  window: TokenWindow,
  { starts, ends }: Chances,
  text: string,
  { k, maxAnswerTokens, cutsWords }: AnswerRules,
): Generator<Span> {
  const words = wordEndsOf(window, text, cutsWords);
  const best = new BestFew(k);
  const factor = text.length + 1;
  for (let first = 0; first < window.length; first++) {
    if (!mayAnswer(window, first)) {
      continue;
    }
    const begin = words.begins[first] ?? 0;
    const stop = Math.min(window.length, first + maxAnswerTokens);
    for (let last = first; last < stop && mayAnswer(window, last); last++) {
      const end = words.ends[last] ?? 0;
      if (begin < end) {
        best.add(begin * factor + end, (starts[first] ?? 0) * (ends[last] ?? 0));
      }
    }
  }
  for (const [key, score] of best.bestFirst()) {
    yield [Math.floor(key / factor), key % factor, score];
  }
}
