// Texts that are packed into links.
import { describe, expect, it, test } from 'vitest';
import { packText, unpackText } from '../../../../../web/demo/shared/base/pack-text.ts';

describe('a packed text', () => {
  test.each(['', 'const a = 1;\n'.repeat(500), 'äöü 🦉 \u0000'])('comes back: %#', async (text) => {
    const packed = await packText(text);
    expect(packed).toMatch(/^[\w-]*$/);
    expect(await unpackText(packed, 10_000)).toBe(text);
  });

  it('is refused if it becomes too long', async () => {
    const packed = await packText('x'.repeat(50_000_000));
    expect(await unpackText(packed, 200_000)).toBeNull();
  });

  test.each([
    'A',
    '!!!!',
    'AAAA',
    'zzzzzzzzzzzz',
    '%00',
  ])('is refused if damaged: %s', async (packed) => {
    expect(await unpackText(packed, 1000)).toBeNull();
  });
});
