// How many tokens texts have, through the built package.
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { smallModel } from '../support/package.ts';

const model = await forAllTests(openEncoder(await smallModel()));

describe('tokenCounts', () => {
  test('equals tokenize without special tokens and truncation', async () => {
    const texts = [
      'The cats sat.',
      '',
      ' \n',
      'dog\n\nran home!\n',
      'ran home! '.repeat(5000),
      '😀 dög\u0301 \uD800 漢字',
      'x'.repeat(500),
    ];
    const counts = await model.tokenCounts(texts);
    for (const [i, text] of texts.entries()) {
      const { ids } = await model.tokenize(text, { special: false });
      expect(counts[i], text.slice(0, 20)).toBe(ids.length);
    }
    expect(counts).toBeInstanceOf(Uint32Array);
    expect(counts[4]).toBeGreaterThan(10_000);
  });

  test('counts thousands of texts', async () => {
    const texts = Array.from({ length: 9000 }, (_, i) => 'cat '.repeat(i % 23));
    expect([...(await model.tokenCounts(texts))]).toEqual(texts.map((_, i) => i % 23));
  });

  test('is empty for no texts', async () => {
    expect(await model.tokenCounts([])).toEqual(new Uint32Array(0));
  });

  test('rejects an input that is not a text, with its index', async () => {
    await expect(model.tokenCounts(['a', 7] as unknown as string[])).rejects.toMatchObject({
      code: 'BadValue',
      path: 'texts[1]',
    });
  });
});
