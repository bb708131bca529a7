import { expect, test } from 'vitest';
import { locationOf } from '../../../../../web/demo/search/results/result-view.ts';

test('the location of a passage has the parts that are known', () => {
  expect(locationOf({ text: '', source: 'a.pdf', heading: 'Tides', page: 3 })).toBe(
    'a.pdf · Tides · page 3',
  );
  expect(locationOf({ text: '', heading: 'Tides' })).toBe('Tides');
  expect(locationOf({ text: '' })).toBe('');
});
