// Blocks that are too long to be cut at once.
import { expect, test } from 'vitest';
import { shortBlocks } from '../../../../web/src/passages/sections/short-blocks.ts';

const textsOf = (text: string, most: number) =>
  [...shortBlocks({ text, position: 1, kind: 'prose' }, most)].map((block) => block.text);

test.each([
  ['aaa bbb ccc ddd', ['aaa bbb ', 'ccc ddd']],
  ['A b. C d e f', ['A b. ', 'C d e f']],
  ['xxxxxxxxxxxx', ['xxxxxxxx', 'xxxx']],
  ['xxxxxxx😀xxxx', ['xxxxxxx', '😀xxxx']],
  ['short', ['short']],
])('%j is cut into %j', (text, parts) => {
  expect(textsOf(text, 8)).toEqual(parts);
});

test('lines are counted', () => {
  const text = Array.from({ length: 100 }, (_, i) => `line ${i}\n`).join('');
  for (const { text: part, position } of shortBlocks({ text, position: 7, kind: 'lines' }, 64)) {
    expect(part).toMatch(new RegExp(`^line ${position - 7}\n`));
  }
});

test('marks go with their text', () => {
  const positions = Array.from({ length: 50 }, (_, i) => 100 + i);
  const marks = { ats: positions.map((_, i) => 10 * i), positions };
  const text = positions.map((position) => `mark ${position}. `).join('');
  const parts = [...shortBlocks({ text, position: 100, kind: 'prose', marks }, 64)];
  expect(parts.map((part) => part.text).join('')).toBe(text);
  for (const part of parts) {
    const { ats, positions: own } = part.marks ?? { ats: [], positions: [] };
    expect(own).toHaveLength(part.text.length / 10);
    expect(part.position).toBe(own[0]);
    for (const [i, at] of ats.entries()) {
      expect(part.text.slice(at)).toMatch(new RegExp(`^mark ${own[i]}\\.`));
    }
  }
});
