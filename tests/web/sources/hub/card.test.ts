// What a card says of the model that a repository was made of.
import { describe, expect, test } from 'vitest';
import { baseInAnswer, baseInCard } from '../../../../web/src/sources/hub/card.ts';

const card = (...lines: readonly string[]) => ['---', ...lines, '---', '', '# A model'].join('\n');

describe('a card', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['a name', ['base_model: owner/name'], ['owner/name']],
    ['a name in quotes', ['base_model: "owner/name"  # of 2024'], ['owner/name']],
    ['a name in single quotes', ["'base_model': 'owner/name'"], ['owner/name']],
    ['a list of lines', ['base_model:', '- a/b', '  # and', '', '- "c/d"', 'x: y'], ['a/b', 'c/d']],
    ['an indented list', ['base_model:', '  - a/b', '  - c/d'], ['a/b', 'c/d']],
    ['a list in brackets', ['base_model: [a/b, "c/d"]'], ['a/b', 'c/d']],
    [
      'a list in brackets over lines',
      ['base_model: [', '  a/b,', '  c/d', ']', 'x: y'],
      ['a/b', 'c/d'],
    ],
    ['a name twice', ['base_model: [a/b, a/b]'], ['a/b']],
    ['nothing', ['license: mit'], []],
    ['an empty field', ['base_model:', 'license: mit'], []],
    ['another field', ['my_base_model: a/b', 'base_models: a/b', 'x: {base_model: a/b}'], []],
    ['a field inside another', ['model-index:', '  base_model: a/b'], []],
    [
      'a name that is none',
      ['base_model: [name, a/b/c, a/b@v1, ../b, "a b/c", a/, https://a/b]'],
      [],
    ],
  ])('with %s', (_, lines, names) => {
    expect(baseInCard(card('license: mit', ...lines))).toEqual({ names, relation: undefined });
    expect(baseInCard(card(...lines).replaceAll('\n', '\r\n')).names).toEqual(names);
  });

  test('with the relation', () => {
    const text = card('base_model: a/b', 'base_model_relation: Quantized');
    expect(baseInCard(text)).toEqual({ names: ['a/b'], relation: 'quantized' });
  });

  test.each([
    ['without front matter', '# A model\nbase_model: a/b\n'],
    ['with front matter that does not end', '---\nbase_model: a/b\n'],
    ['with front matter later', 'Text\n---\nbase_model: a/b\n---\n'],
    ['that is longer than cards are', card(`x: ${'y'.repeat(70_000)}`, 'base_model: a/b')],
    ['that is empty', ''],
  ])('%s says nothing', (_, text) => {
    expect(baseInCard(text)).toEqual({ names: [], relation: undefined });
  });

  test('with many brackets and dashes is read in linear time', () => {
    const long = card('base_model: [', ...Array.from({ length: 20_000 }, () => '-[,'));
    expect(baseInCard(long).names).toEqual([]);
    expect(baseInCard(`---\n${'-'.repeat(60_000)}`).names).toEqual([]);
  });
});

describe('the answer of the hub', () => {
  const names = ['a/b'];

  test('has a name or a list', () => {
    expect(baseInAnswer({ cardData: { base_model: 'a/b' } })).toEqual({ names });
    expect(baseInAnswer({ cardData: { base_model: ['a/b', 'a/b'] } })).toEqual({ names });
  });

  test('has the relation of the card, else the one of the tags', () => {
    const tags = [
      'onnx',
      3,
      'base_model:a/b',
      'base_model:finetune:x/y',
      'base_model:quantized:a/b',
    ];
    const cardData = { base_model: 'a/b' };
    expect(baseInAnswer({ cardData, tags })?.relation).toBe('quantized');
    const stated = { ...cardData, base_model_relation: 'merge' };
    expect(baseInAnswer({ cardData: stated, tags })?.relation).toBe('merge');
    expect(baseInAnswer({ cardData, tags: 'quantized' })?.relation).toBe(undefined);
  });

  test('may lack what the card says', () => {
    for (const answer of [undefined, null, 3, [], {}, { cardData: null }, { cardData: 'a/b' }]) {
      expect(baseInAnswer(answer)).toBe(undefined);
    }
  });

  test('may say nonsense', () => {
    for (const base of [3, {}, [[]], [null, 'x'], { 0: 'a/b' }, 'a/../b', `a/${'b'.repeat(200)}`]) {
      expect(baseInAnswer({ cardData: { base_model: base } })?.names).toEqual([]);
    }
    const long = { base_model: Array.from({ length: 5000 }, (_, i) => `a/b${i}`) };
    expect(baseInAnswer({ cardData: long })?.names).toHaveLength(100);
    const odd = { base_model: 'a/b', base_model_relation: 'x\u001b[31m' };
    expect(baseInAnswer({ cardData: odd })?.relation).toBe(undefined);
  });
});
