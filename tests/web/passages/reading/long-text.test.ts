// A long text is encoded in parts.
import { expect, test } from 'vitest';
import { readDocument } from '../../../../web/src/entries/passages/passages.ts';

test('no character is lost where a text is parted', async () => {
  const owls = '🦉'.repeat(1000);
  // Each length moves the places at which the text is parted.
  for (const begin of ['', '\n']) {
    const table = `${begin}text\n${`${owls}.\n`.repeat(1100)}`;
    const { passages, warnings } = await readDocument('a.csv', table, { most: 1 << 20 });
    expect(passages.every(({ text }) => text === `${owls}.`)).toBe(true);
    expect(passages).toHaveLength(1100);
    expect(warnings).toEqual([]);
  }
});
