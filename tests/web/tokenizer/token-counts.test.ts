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

  test('stops at the most that is asked for', async () => {
    const texts = ['cat '.repeat(10), 'cat '.repeat(11), 'cat '.repeat(1_000_000), 'x'.repeat(1e6)];
    expect([...(await model.tokenCounts(texts, { most: 10 }))]).toEqual([10, 10, 10, 1]);
    expect([...(await model.tokenCounts(texts.slice(0, 2), { most: 11 }))]).toEqual([10, 11]);
  });

  test('counts a long text line by line as a whole', async () => {
    const text = `${'ran home! '.repeat(30_000)}\n${'x'.repeat(400_000)}\n\n${'cat\n'.repeat(100_000)}`;
    expect([...(await model.tokenCounts([text, 'cat', text]))]).toEqual([190_001, 1, 190_001]);
  });

  test('ends with the signal, and the model goes on', async () => {
    const texts = Array.from({ length: 400 }, () => 'cat '.repeat(20_000));
    const stop = new AbortController();
    const counting = model.tokenCounts(texts, { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    await expect(counting).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect([...(await model.tokenCounts(['cat cat']))]).toEqual([2]);
  });

  test.each([
    [{ most: 0 }, 'options.most'],
    [{ most: 1.5 }, 'options.most'],
    [{ limit: 1 }, 'options.limit'],
  ])('rejects the options %j', async (options, path) => {
    const counting = model.tokenCounts(['a'], options as { most?: number });
    await expect(counting).rejects.toMatchObject({ code: 'BadValue', path });
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
