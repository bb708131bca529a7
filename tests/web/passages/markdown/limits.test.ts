// Markdown that is made to be slow. The tests that took minutes end by their timeout.
import { describe, expect, test } from 'vitest';
import { hostileDocuments } from '../hostile.ts';
import { passagesOf, read } from '../reading.ts';

const inTime = { timeout: 20_000 };

describe('nesting', () => {
  const stairs = (depth: number) =>
    Array.from({ length: depth }, (_, i) => `${'  '.repeat(i)}- item ${i}`).join('\n');

  test('a list of many levels is read if it is short', async () => {
    const [passage] = await passagesOf('a.md', stairs(60), { most: 1000 });
    expect(passage?.text.split('\n')).toHaveLength(60);
    const [quote] = await passagesOf('a.md', `${'>'.repeat(60)} deep\n\n${'- '.repeat(40)}\n`);
    expect(quote?.text).toBe('deep');
  });

  test('a list that is read too often is refused with its byte', async () => {
    await expect(read('a.md', `é\n\n${stairs(1000)}`)).rejects.toMatchObject({
      code: 'LimitExceeded',
      message: expect.stringMatching(/^a\.md nests lists or quotes more than 32 levels/) as string,
      byteOffset: expect.any(Number) as number,
    });
  });

  test('text after a deep list counts as part of it', inTime, async () => {
    const text = `${stairs(100)}\n${'lazy line\n'.repeat(100_000)}`;
    await expect(read('a.md', text)).rejects.toMatchObject({ code: 'LimitExceeded' });
    const after = `${stairs(30)}\n\n${'other lines\n'.repeat(10_000)}`;
    expect((await read('a.md', after)).passages.length).toBeGreaterThan(100);
  });
});

describe('long parts', () => {
  test.each([
    'md: quote and text',
    'md: address parentheses',
    'md: mail addresses',
    'md: open links',
  ])('%s', inTime, async (name) => {
    const { path, make } = hostileDocuments[name] ?? { path: '', make: () => '' };
    expect((await read(path, make(500_000))).passages.length).toBeGreaterThan(100);
  });

  test('a paragraph is read in pieces, and nothing is lost', async () => {
    const text = Array.from({ length: 9000 }, (_, i) => `word${i} *it*`).join(' ');
    const found = await passagesOf('a.md', text);
    const words = found.flatMap((passage) => passage.text.match(/word\d+/g) ?? []);
    expect(words).toEqual(Array.from({ length: 9000 }, (_, i) => `word${i}`));
    expect(found.some((passage) => passage.text.includes('*'))).toBe(false);
  });

  test('a table with more missing cells than text is refused', async () => {
    const { path, make } = hostileDocuments['md: wide table, short rows'] ?? {
      path: '',
      make: () => '',
    };
    await expect(read(path, make(100_000))).rejects.toMatchObject({ code: 'LimitExceeded' });
    const wide = `${'|a'.repeat(400)}|\n${'|-'.repeat(400)}|\n${`${'|1'.repeat(400)}|\n`.repeat(300)}`;
    expect((await read('a.md', wide)).passages.length).toBeGreaterThan(100);
  });

  test('a table of very many columns is refused', async () => {
    const bar = (cell: string, columns: number) => `${cell.repeat(columns)}|\n`;
    const table = (columns: number) =>
      ['|a', '|-', '|1'].map((cell) => bar(cell, columns)).join('');
    await expect(read('a.md', table(17_000))).rejects.toMatchObject({
      code: 'LimitExceeded',
      message: expect.stringContaining('17000 columns. At most 16384') as string,
    });
    expect((await read('a.md', table(16_000))).passages.length).toBeGreaterThan(100);
  });
});
