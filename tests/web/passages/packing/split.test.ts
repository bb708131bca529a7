// Plain text to passages: paragraphs, sentences, overlap, and what is cut where nothing else can be.
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../../web/src/passages/passages.ts';
import { bare, countWords, passagesOf, read } from '../reading.ts';

/** Sentences of `words` words, each told by its number. */
const sentences = (count: number, words: number) =>
  Array.from({ length: count }, (_, i) => `Number ${i} ${'beta '.repeat(words - 3)}end.`);

describe('readDocument', () => {
  test('paragraphs with their lines, short ones together', async () => {
    const long = `${'word '.repeat(90).trim()}.`;
    const text = `One.\n\nTwo,\nstill two.\n\n${long}\n`;
    const passages = await passagesOf('a.txt', text, { count: countWords });
    expect(passages).toEqual([
      { id: 'a.txt#1', text: 'One. Two, still two.', source: 'a.txt', position: 1 },
      { id: 'a.txt#2', text: long, source: 'a.txt', position: 6 },
    ]);
  });

  test('a long paragraph is cut between sentences, and one sentence stands on both sides', async () => {
    const all = sentences(12, 30);
    const text = all.map((sentence) => `${sentence}\n`).join('');
    const passages = await passagesOf('a.txt', text, { count: countWords });
    expect(passages).toHaveLength(4);
    for (const [i, passage] of passages.entries()) {
      const held = passage.text.match(/Number.*?end\./g) ?? [];
      expect(passage.text).toBe(held.join(' '));
      expect(held.length * 30).toBeLessThanOrEqual(128);
      expect(all[passage.position - 1]).toBe(held[0]);
      const before = passages[i - 1]?.text ?? held[0];
      expect(before).toMatch(new RegExp(`${held[0]}$`));
    }
    expect(all.filter((each) => passages.some(({ text }) => text.includes(each)))).toEqual(all);
  });

  test('the most tokens are the caller’s to choose', async () => {
    const text = sentences(20, 10).join(' ');
    const passages = await passagesOf('a.txt', text, { count: countWords, most: 25 });
    for (const passage of passages) {
      expect((await countWords([passage.text]))[0]).toBeLessThanOrEqual(25);
    }
    expect(passages).toHaveLength(19);
  });

  test.each([
    ['words without end', 'alpha '.repeat(1000)],
    ['a script without spaces', '漢字'.repeat(1000)],
    ['one long run', 'x'.repeat(5000)],
    ['characters of two code units', '😀'.repeat(2000)],
  ])('%s are cut somewhere, and nothing is lost', async (_, text) => {
    const passages = await passagesOf('a.txt', text);
    expect(passages.length).toBeGreaterThan(5);
    expect(bare(passages.map((passage) => passage.text).join(''))).toBe(bare(text));
    for (const { text: part } of passages) expect(part).not.toMatch(/\p{Cs}/u);
  });

  test('what a tokenizer takes as one unknown word is cut all the same', async () => {
    const passages = await passagesOf('a.txt', 'x'.repeat(100_000), { count: countWords });
    for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(128 * 32);
    expect(passages.map(({ text }) => text).join('')).toBe('x'.repeat(100_000));
  });

  test('a tokenizer that finds more in a whole than in its parts is heard', async () => {
    const count = async (texts: readonly string[]) =>
      (await countWords(texts)).map((words) => words + Math.max(0, words - 90));
    const text = sentences(30, 20).join(' ');
    const passages = await passagesOf('a.txt', text, { count });
    const counts = await count(passages.map((passage) => passage.text));
    expect(Math.max(...counts)).toBeLessThanOrEqual(128);
    expect(bare(passages.map((passage) => passage.text).join(' '))).toContain('Number29');
  });

  test('abbreviations and initials end no sentence', async () => {
    const sentence = `Dr. Smith met J. Doe on p. 12 of No. 5 ${'today '.repeat(30)}again. `;
    const passages = await passagesOf('a.txt', sentence.repeat(8), { count: countWords });
    expect(passages.length).toBeGreaterThan(2);
    for (const { text } of passages) expect(text).toMatch(/^Dr\. Smith .* again\.$/);
  });

  test('a name without a type is plain text', async () => {
    const [passage] = await passagesOf('Pasted text', 'Hello.');
    expect(passage).toMatchObject({ id: 'Pasted text#1', source: 'Pasted text' });
  });

  test.each([
    'a.txt',
    'a.md',
    'a.html',
    'a.csv',
    'a.json',
    'a.jsonl',
  ])('an empty %s has no passages, and says so', async (path) => {
    expect(await read(path, '')).toMatchObject({ passages: [], warnings: ['It is empty.'] });
    expect(await read(path, ' \n')).toMatchObject({
      passages: [],
      warnings: ['There is no text in it.'],
    });
  });

  test('other types are refused by name', async () => {
    await expect(read('a.docx', '')).rejects.toMatchObject({
      code: 'Unsupported',
      message: expect.stringMatching(/a\.docx.*Known are .*\.html/) as string,
    });
  });

  test('a file beyond the most of its type is refused, unread', async () => {
    const bytes = new Uint8Array((64 << 20) + 1);
    await expect(readDocument('big.md', bytes)).rejects.toMatchObject({
      code: 'LimitExceeded',
      byteOffset: 64 << 20,
      message: expect.stringMatching(/big\.md .*64 MB/) as string,
    });
  });

  test.each([0, 1.5, Number.NaN])('a passage of %s tokens is bad use', async (most) => {
    await expect(read('a.txt', 'x', { most })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.most',
    });
  });

  test('a count that leaves texts out is bad use', async () => {
    await expect(read('a.txt', 'x', { count: async () => [] })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.count',
    });
  });

  test('an abort is heard, before and between', async () => {
    await expect(read('a.txt', 'x', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    const controller = new AbortController();
    const count = async (texts: readonly string[]) => {
      controller.abort();
      return countWords(texts);
    };
    const { signal } = controller;
    await expect(read('a.txt', 'x. '.repeat(500), { signal, count })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
