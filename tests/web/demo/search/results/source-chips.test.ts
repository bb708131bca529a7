import { expect, test } from 'vitest';
import { countSources } from '../../../../../web/demo/search/results/source-chips.ts';
import { hit } from './hit.ts';

test('sources are counted, those with the most passages first', () => {
  const hits = [
    hit('a', { source: 'one.txt' }),
    hit('b', { source: 'two.txt' }),
    hit('c', { source: 'two.txt' }),
    hit('d'),
  ];
  expect(countSources(hits)).toEqual([
    { name: 'two.txt', count: 2 },
    { name: 'one.txt', count: 1 },
  ]);
});
