// The masks of a text by what a worker says of its tokens, and the most likely words by the numbers of a mask.
import { describe, expect, test } from 'vitest';
import { bestTokens } from '../../../web/src/fill-mask/best-tokens.ts';
import { candidateTokens } from '../../../web/src/fill-mask/candidates.ts';
import {
  filledText,
  filledWithPiece,
  maskCount,
  masksIn,
  placeOf,
} from '../../../web/src/fill-mask/masks.ts';
import { type TokenRows, tokenFlags } from '../../../web/src/token-head/protocol.ts';
import { windowsOf } from '../../../web/src/token-head/token-windows.ts';
import type { Tokens } from '../../../web/src/tokenizer/types.ts';

const { special, mask } = tokenFlags;

/** The rows of windows. A window is the begins of its tokens; a negative one is a mask's. Row `i` has the number `i` first. */
function rowsOf(windows: readonly (readonly number[])[]): TokenRows {
  const tokens = windows.flatMap((begins) => [
    ...[101, 0, 0, special],
    ...begins.flatMap((begin) => [5, Math.abs(begin), Math.abs(begin) + 1, begin < 0 ? mask : 0]),
    ...[102, 0, 0, special],
  ]);
  const count = windows.flat().filter((begin) => begin < 0).length;
  return {
    width: 2,
    logits: Float32Array.from({ length: 2 * count }, (_, i) => i / 2),
    inputs: new Uint32Array(windows.length),
    counts: Uint32Array.from(windows, (begins) => begins.length + 2),
    tokens: Uint32Array.from(tokens),
  };
}

describe('masks', () => {
  const masksOf = (windows: readonly (readonly number[])[]) => {
    const rows = rowsOf(windows);
    const [own = []] = windowsOf(rows, 1, maskCount);
    return masksIn(own, rows.width).map(({ begin, logits }) => [begin, logits[0]]);
  };

  test('are in the order of the text', () => {
    expect(masksOf([[0, -1, 2, -3]])).toEqual([
      [1, 0],
      [3, 1],
    ]);
    expect(masksOf([[0, 1, 2]])).toEqual([]);
  });

  test('in two windows are read where more is around them', () => {
    const windows = [
      [0, 1, 2, 3, -4],
      [2, 3, -4, 5, -6],
      [-4, 5, -6, 7, 8],
    ];
    expect(masksOf(windows)).toEqual([
      [4, 1],
      [6, 4],
    ]);
  });
});

describe('the text with a word in the place of a mask', () => {
  const fill = (text: string, begin: number, end: number, word: string) => {
    const place = placeOf(text, { begin, end, logits: new Float32Array() }, '<mask>');
    return filledText(text, place, word);
  };

  test.each([
    ['a <mask>.', 2, 8, 'cat', 'a cat.'],
    ['a <mask>.', 1, 8, ' cat', 'a cat.'],
    ['<mask> sat', 0, 6, ' Cats', 'Cats sat'],
    ['cat<mask>', 3, 9, 's', 'cats'],
    ['is<mask>', 2, 8, ' here', 'is here'],
    ['<mask> <mask>', 6, 13, ' x', '<mask> x'],
  ])('%s', (text, begin, end, word, expected) => {
    expect(fill(text, begin, end, word)).toBe(expected);
  });
});

test.each([
  ['a [MASK].', 2, 'cat', 'a cat.'],
  ['sleep [MASK] cat', 6, '##ing', 'sleeping cat'],
  ['x[MASK]s', 1, 'cat', 'x cat s'],
  ['x[MASK]!', 1, '.', 'x.!'],
  ['[MASK]', 0, '##s', 's'],
  ['a [MASK]', 2, '##', 'a ##'],
  ['\ud83d[MASK]', 1, 'cat', '\ud83dcat'],
])('"%s" with a token of WordPiece', (text, begin, token, expected) => {
  expect(filledWithPiece(text, [begin, begin + 6], token)).toBe(expected);
});

describe('the most likely tokens', () => {
  const logits = Float32Array.from([0, 3, -1, 3, 50, 1]);

  test('have probabilities among all tokens', () => {
    const sum = [...logits].reduce((total, x) => total + Math.exp(x), 0);
    const best = bestTokens(logits, 3);
    expect(best.map(({ id }) => id)).toEqual([4, 1, 3]);
    best.forEach(({ id, score }) => {
      expect(score / (Math.exp(logits[id] ?? 0) / sum)).toBeCloseTo(1, 12);
    });
    const total = bestTokens(logits, 99).reduce((all, { score }) => all + score, 0);
    expect(total).toBeCloseTo(1, 12);
  });

  test('among some of them keep their probabilities', () => {
    const [, one, ...others] = bestTokens(logits, 6);
    expect(bestTokens(logits, 9, [2, 1, 5, 1])).toEqual([
      one,
      ...others.filter(({ id }) => [2, 5].includes(id)),
    ]);
  });

  test('of large numbers are no NaN', () => {
    const [best] = bestTokens(Float32Array.from([1e30, -1e30, 0]), 1);
    expect(best).toEqual({ id: 0, score: 1 });
  });

  test('are found in a large vocabulary', () => {
    const many = Float32Array.from({ length: 250_002 }, (_, i) => Math.sin(i) * 5);
    const sorted = [...many.keys()].sort((a, b) => (many[b] ?? 0) - (many[a] ?? 0) || a - b);
    expect(bestTokens(many, 5).map(({ id }) => id)).toEqual(sorted.slice(0, 5));
  });
});

describe('candidates', () => {
  const known = new Map([
    ['cat', [7]],
    [' cat', [8]],
    ['dog', [9]],
    [' dog', [1, 2]],
    ['kitchen', [3, 4]],
    [' kitchen', [5, 4]],
    ['?', [0]],
    [' ?', [0]],
    ['', []],
    [' ', []],
  ]);
  const tokenize = async (text: string) => {
    const ids = known.get(text) ?? [];
    return { ids, tokens: ids.map((id) => `t${id}`) } as unknown as Tokens;
  };

  test('are tokens alone and after a space', async () => {
    expect(await candidateTokens(['cat', 'dog'], 0, tokenize)).toEqual([
      { alone: 7, afterSpace: 8 },
      { alone: 9, afterSpace: 9 },
    ]);
  });

  test.each([
    ['kitchen', /"kitchen" is 2 tokens of the model \(t3, t4\), and a mask stands for one/],
    ['?', /"\?" is no token of the model/],
    ['', /"" is no token of the model/],
  ])('refuses "%s"', async (candidate, message) => {
    await expect(candidateTokens(['cat', candidate], 0, tokenize)).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.candidates[1]',
      message: expect.stringMatching(message) as string,
    });
  });
});
