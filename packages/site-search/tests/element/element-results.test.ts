// What a result says of its address.
import { expect, test } from 'vitest';
import { pathOf } from '../../src/element/results-view.ts';

test.each([
  ['https://a.example/docs/guide/lamps.html', 'https://a.example/docs/', 'guide › lamps'],
  ['https://a.example/docs/guide/lamps/#clean', 'https://a.example/docs/', 'guide › lamps'],
  ['https://a.example/other/x', 'https://a.example/docs/', 'other › x'],
  ['https://a.example/caf%C3%A9/%E0%A4%A', 'https://a.example/', 'café › %E0%A4%A'],
  ['https://a.example/', 'https://a.example/', 'a.example'],
  ['/guide/lamps.html', '/', '/guide/lamps.html'],
])('%s below %s is shown as %s', (url, root, shown) => {
  expect(pathOf(url, root)).toBe(shown);
});
