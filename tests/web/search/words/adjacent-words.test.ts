// Passages where words of the query stand side by side.
import { expect, test } from 'vitest';
import { withAdjacentWords } from '../../../../web/src/search/words/adjacent-words.ts';
import { PassageWords } from '../../../../web/src/search/words/passage-words.ts';

const words = (text: string): string[] => text.split(' ');

/** The scores by id, for passages of which each was found with the score 1. */
function scores(query: string, passages: readonly string[], size = 1000): number[] {
  const found = passages.map((_, id) => ({ id, score: 1, words: [] }));
  const raised = withAdjacentWords(found, words(query), (id) => words(passages[id] ?? ''), size);
  return raised.sort((a, b) => a.id - b.id).map(({ score }) => score);
}

test('only pairs in the order of the query count', () => {
  const [together = 0, turned, apart] = scores('red door', [
    'a red door here',
    'a door red here',
    'a red or door',
  ]);
  expect(together).toBeGreaterThan(1);
  expect([turned, apart]).toEqual([1, 1]);
});

test('the score of a pair is that of BM25', () => {
  // One of 1,000 passages has the pair once, and its length is the mean.
  const [together = 0] = scores('red door', ['a red door', 'red or door']);
  expect(together).toBeCloseTo(1 + 0.2 * Math.log(1 + 999.5 / 1.5), 10);
});

test('rare pairs, several pairs and short passages count more', () => {
  const [rare = 0, first = 0, second = 0] = scores('x y z w', ['x y a', 'z w a', 'b z w']);
  expect(rare).toBeGreaterThan(first);
  expect(first).toBe(second);
  const [one = 0, both = 0] = scores('x y z', ['x y a', 'x y z']);
  expect(both).toBeGreaterThan(one);
  const [short = 0, long = 0] = scores('x y', ['x y a', 'x y a b c d']);
  expect(short).toBeGreaterThan(long);
  const [once = 0, twice = 0] = scores('x y', ['x y a b', 'x y x y']);
  expect(twice).toBeGreaterThan(once);
});

test('the best hundred passages are read, and the others keep their scores', () => {
  const found = Array.from({ length: 150 }, (_, id) => ({ id, score: id, words: [] }));
  const read: number[] = [];
  const raised = withAdjacentWords(
    found,
    ['x', 'y'],
    (id) => {
      read.push(id);
      return ['x', 'y'];
    },
    1000,
  );
  expect(read.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => 50 + i));
  expect(raised).toHaveLength(150);
  for (const { id, score } of raised) {
    if (id < 50) {
      expect(score).toBe(id);
    } else {
      expect(score).toBeGreaterThan(id);
    }
  }
});

test('one word reads no passage', () => {
  const found = [{ id: 0, score: 1, words: ['x'] }];
  const termsOf = () => {
    throw new Error('read');
  };
  expect(withAdjacentWords(found, ['x'], termsOf, 10)).toEqual(found);
});

test('the forms of words, and scripts without spaces, have pairs', async () => {
  const index = new PassageWords(async () => ['en']);
  const docs = [
    { text: 'Doors that were red: closing.' },
    { text: 'Closing red doors.' },
    { text: '東京都の天気' },
    { text: '京都は東京の西' },
  ];
  await index.update(docs);
  const scoreOf = async (query: string) => {
    const matches = await index.match(query);
    return docs.map((doc) => matches.get(doc)?.score ?? 0);
  };
  const [apart = 0, together = 0] = await scoreOf('close the red door');
  expect(together).toBeGreaterThan(apart);
  const [, , inOrder = 0, other = 0] = await scoreOf('東京都');
  expect(inOrder).toBeGreaterThan(other);
});

test('a word counts once in the query, and each time in the length of a passage', async () => {
  const index = new PassageWords(async () => ['en']);
  const docs = [{ text: 'cat sat' }, { text: 'cat sat sat sat' }, { text: 'dog ran' }];
  await index.update(docs);
  const scoreOf = async (query: string) => {
    const matches = await index.match(query);
    return docs.map((doc) => matches.get(doc)?.score ?? 0);
  };
  expect(await scoreOf('cat dog cat')).toEqual(await scoreOf('cat dog'));
  // Both passages have two different words.
  const [short = 0, long = 0] = await scoreOf('cat');
  expect(short).toBeGreaterThan(long);
});
