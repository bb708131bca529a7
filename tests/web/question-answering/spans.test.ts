// Answers by the numbers of tokens, beside those that tests/reference/models/question_answering.py finds.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answersIn } from '../../../web/src/question-answering/spans.ts';
import type { ExtractedAnswer } from '../../../web/src/question-answering/types.ts';
import { wordEndsOf } from '../../../web/src/question-answering/words.ts';
import { codePointsOf } from '../../../web/src/token-head/offsets.ts';
import { tokenFlags } from '../../../web/src/token-head/protocol.ts';
import { TokenWindow, type WindowRows } from '../../../web/src/token-head/token-windows.ts';

interface Case {
  readonly context: string;
  readonly tokenizer: 'wordpiece' | 'unigram';
  readonly windows: readonly {
    readonly tokens: readonly number[];
    readonly logits: readonly number[];
  }[];
  readonly asked: readonly {
    readonly k: number;
    readonly maxAnswerTokens: number;
    readonly noAnswer: boolean;
    readonly answers: readonly (ExtractedAnswer & { readonly codePoints: readonly number[] })[];
    readonly count: number;
  }[];
}

const path = new URL('../../fixtures/question_answering/answers.json', import.meta.url);
const cases = JSON.parse(readFileSync(path, 'utf8')) as readonly Case[];
const { special, second, subword } = tokenFlags;

const windowOf = (tokens: readonly number[], logits: readonly number[]): WindowRows => ({
  window: new TokenWindow(Uint32Array.from(tokens)),
  logits: Float32Array.from(logits),
});

describe.each(
  cases.map((one, i) => ({ ...one, i, windowCount: one.windows.length })),
)('case $i ($tokenizer, windows: $windowCount)', ({ context, tokenizer, windows, asked }) => {
  const given = windows.map(({ tokens, logits }) => windowOf(tokens, logits));

  test.each(asked)('k $k, tokens $maxAnswerTokens, noAnswer $noAnswer', (one) => {
    const { answers: expected, count, ...rules } = one;
    const found = answersIn(given, context, { ...rules, cutsWords: tokenizer === 'wordpiece' });
    expect(found).toHaveLength(count);
    expect(found.slice(0, expected.length)).toEqual(
      expected.map(({ text, start, end, score }) => ({
        text,
        start,
        end,
        score: expect.closeTo(score, 10) as number,
      })),
    );
    const at = codePointsOf(context);
    for (const { start, end, codePoints } of expected) {
      expect([at(start), at(end)]).toEqual(codePoints);
    }
  });

  test('the answers to a smaller k are the first of those to a larger one', () => {
    const rules = { maxAnswerTokens: 15, noAnswer: false, cutsWords: tokenizer === 'wordpiece' };
    const all = answersIn(given, context, { ...rules, k: 100 });
    for (const k of [1, 2, 5]) {
      expect(answersIn(given, context, { ...rules, k })).toEqual(all.slice(0, k));
    }
  });
});

/** A window over the second text with a question of one token. */
function windowIn(pieces: readonly (readonly [begin: number, end: number, flags?: number])[]) {
  const ends = [0, 0, 0, special];
  const own = pieces.flatMap(([begin, end, flags = 0], i) => [i, begin, end, second | flags]);
  return [...ends, 7, 0, 1, 0, ...ends, ...own, ...ends];
}

describe('no answer', () => {
  const context = 'a cat';
  const tokens = windowIn([
    [0, 1],
    [2, 5],
  ]);
  const rules = { k: 5, maxAnswerTokens: 15, noAnswer: true, cutsWords: true };
  const rows = (none: number) => [none, none, 9, 9, 9, 9, 1, 0, 0, 1, 9, 9];

  test('is the best where the first token is sure of it', () => {
    const [first, second] = answersIn([windowOf(tokens, rows(20))], context, rules);
    expect(first).toEqual({ text: '', start: 0, end: 0, score: expect.closeTo(1, 6) as number });
    expect(second?.text).toBe('a cat');
  });

  test('needs all windows', () => {
    const windows = [windowOf(tokens, rows(20)), windowOf(tokens, rows(-20))];
    const found = answersIn(windows, context, rules);
    expect(found.at(-1)?.text).toBe('');
    expect(found.at(-1)?.score).toBeLessThan(1e-9);
  });

  test('is certain in a text without tokens', () => {
    const none = windowOf(windowIn([]), [1, 1, 9, 9, 9, 9, 9, 9]);
    expect(answersIn([none], '', rules)).toEqual([{ text: '', start: 0, end: 0, score: 1 }]);
    expect(answersIn([none], '', { ...rules, noAnswer: false })).toEqual([]);
  });

  test('the question is no answer, however sure its numbers are', () => {
    const found = answersIn([windowOf(tokens, rows(0))], context, { ...rules, noAnswer: false });
    expect(found.map(({ text }) => text).toSorted()).toEqual(['a', 'a cat', 'cat']);
  });
});

describe('whole words', () => {
  const endsIn = (
    text: string,
    pieces: Parameters<typeof windowIn>[0],
    cutsWords = false,
  ): string[] => {
    const window = new TokenWindow(Uint32Array.from(windowIn(pieces)));
    const { begins, ends } = wordEndsOf(window, text, cutsWords);
    return pieces.map((_, i) => text.slice(begins[i + 3], ends[i + 3]));
  };

  test.each<[string, string, Parameters<typeof windowIn>[0], string[]]>([
    [
      'letters and digits',
      'Göteborg2 x',
      [
        [0, 3],
        [3, 9],
        [9, 11],
      ],
      ['Göteborg2', 'Göteborg2', 'x'],
    ],
    [
      'no punctuation',
      '(Rome)',
      [
        [0, 1],
        [1, 3],
        [3, 6],
      ],
      ['(', 'Rome', 'Rome)'],
    ],
    [
      'marks that stand alone',
      'Zoe\u0301',
      [
        [0, 2],
        [2, 3],
        [3, 4],
      ],
      ['Zoe\u0301', 'Zoe\u0301', 'Zoe\u0301'],
    ],
    [
      'joined emoji',
      'a👩‍🚀',
      [
        [0, 1],
        [1, 3],
        [3, 4],
        [4, 6],
      ],
      ['a', '👩‍🚀', '👩‍🚀', '👩‍🚀'],
    ],
    [
      'no neighbours in Chinese',
      '猫眠',
      [
        [0, 1],
        [1, 2],
      ],
      ['猫', '眠'],
    ],
    [
      'halves of characters',
      '\ud83dx\udc00',
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
      ['\ud83d', 'x', '\udc00'],
    ],
  ])('%s', (_, text, pieces, expected) => {
    expect(endsIn(text, pieces)).toEqual(expected);
  });

  test('pieces that the tokenizer marks', () => {
    const pieces = [
      [0, 1],
      [1, 2, subword],
      [3, 4],
    ] as const;
    expect(endsIn('ゴル 5', pieces, true)).toEqual(['ゴル', 'ゴル', '5']);
    expect(endsIn('ゴル 5', pieces, false)).toEqual(['ゴ', 'ル', '5']);
  });

  test('a word that begins in the window before', () => {
    expect(
      endsIn(
        'kitchen',
        [
          [3, 5, subword],
          [5, 7, subword],
        ],
        true,
      ),
    ).toEqual(['kitchen', 'kitchen']);
  });
});
