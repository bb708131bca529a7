// Splits plain text into passages: at paragraphs, between sentences with overlap, and else anywhere.
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../../web/src/entries/passages/passages.ts';
import { bare, countWords, passagesOf, read } from '../reading.ts';

const countCharacters = async (texts: readonly string[]) => texts.map((text) => text.length);

/** Sentences of `words` words, each with its number. */
const sentences = (count: number, words: number) =>
  Array.from({ length: count }, (_, i) => `Number ${i} ${'beta '.repeat(words - 3)}end.`);

describe('readDocument', () => {
  test('paragraphs have their lines, and short ones are joined', async () => {
    const long = `${'word '.repeat(90).trim()}.`;
    const text = `One.\n\nTwo,\nstill two.\n\n${long}\n`;
    const passages = await passagesOf('a.txt', text, { count: countWords });
    expect(passages).toEqual([
      { id: 'a.txt#1', text: 'One. Two, still two.', source: 'a.txt', position: 1 },
      { id: 'a.txt#2', text: long, source: 'a.txt', position: 6 },
    ]);
  });

  test('a long paragraph is cut between sentences, and one sentence is repeated', async () => {
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

  test('the caller chooses the maximum number of tokens', async () => {
    const text = sentences(20, 10).join(' ');
    const passages = await passagesOf('a.txt', text, { count: countWords, most: 25 });
    for (const passage of passages) {
      expect((await countWords([passage.text]))[0]).toBeLessThanOrEqual(25);
    }
    expect(passages).toHaveLength(19);
  });

  test.each([
    ['a sentence without end', 'alpha '.repeat(1000)],
    ['a script without spaces', '漢字'.repeat(1000)],
    ['one long run', 'x'.repeat(5000)],
    ['a run of surrogate pairs', '😀'.repeat(2000)],
  ])('%s is cut, and nothing is lost', async (_, text) => {
    const passages = await passagesOf('a.txt', text);
    expect(passages.length).toBeGreaterThan(5);
    expect(bare(passages.map((passage) => passage.text).join(''))).toBe(bare(text));
    for (const { text: part } of passages) {
      expect(part).not.toMatch(/\p{Cs}/u);
    }
  });

  test('a long word is cut even if it is one token', async () => {
    const passages = await passagesOf('a.txt', 'x'.repeat(100_000), { count: countWords });
    for (const { text } of passages) {
      expect(text.length).toBeLessThanOrEqual(128 * 32);
    }
    expect(passages.map(({ text }) => text).join('')).toBe('x'.repeat(100_000));
  });

  test('a passage fits even if it has more tokens than its parts', async () => {
    const count = async (texts: readonly string[]) =>
      (await countWords(texts)).map((words) => words + Math.max(0, words - 90));
    const text = sentences(30, 20).join(' ');
    const passages = await passagesOf('a.txt', text, { count });
    const counts = await count(passages.map((passage) => passage.text));
    expect(Math.max(...counts)).toBeLessThanOrEqual(128);
    expect(bare(passages.map((passage) => passage.text).join(' '))).toContain('Number29');
  });

  test('abbreviations and initials do not end a sentence', async () => {
    const sentence = `Dr. Smith met J. Doe on p. 12 of No. 5 ${'today '.repeat(30)}again. `;
    const passages = await passagesOf('a.txt', sentence.repeat(8), { count: countWords });
    expect(passages.length).toBeGreaterThan(2);
    for (const { text } of passages) {
      expect(text).toMatch(/^Dr\. Smith .* again\.$/);
    }
  });

  test('a cut never parts a mark from its letter', async () => {
    const letters = 'ที่นี่มีน้ำ'.repeat(400);
    const passages = await passagesOf('a.txt', letters, { count: countCharacters, most: 20 });
    expect(passages.length).toBeGreaterThan(20);
    for (const { text } of passages) {
      expect(text).not.toMatch(/^\p{M}/u);
    }
    expect(passages.map(({ text }) => text).join('')).toBe(letters);
  });

  test('a run of marks is cut all the same', async () => {
    const passages = await passagesOf('a.txt', `a${'\u0301'.repeat(5000)}`, { most: 8 });
    for (const { text } of passages) {
      expect(text.length).toBeLessThanOrEqual(8 * 32 + 8);
    }
  });

  test('a file without extension is plain text', async () => {
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
  ])('an empty %s has no passages and a warning', async (path) => {
    expect(await read(path, '')).toMatchObject({ passages: [], warnings: ['The file is empty.'] });
    expect(await read(path, ' \n')).toMatchObject({
      passages: [],
      warnings: ['The document has no text.'],
    });
  });

  test('unknown types are rejected by name', async () => {
    await expect(read('a.xyz', '')).rejects.toMatchObject({
      code: 'Unsupported',
      message: expect.stringMatching(/a\.xyz.*Supported types are .*\.html/) as string,
    });
  });

  test('a file above the limit of its type is rejected unread', async () => {
    const bytes = new Uint8Array((64 << 20) + 1);
    await expect(readDocument('big.md', bytes)).rejects.toMatchObject({
      code: 'LimitExceeded',
      byteOffset: 64 << 20,
      message: expect.stringMatching(/big\.md .*64 MB/) as string,
    });
  });

  test.each([0, 1.5, Number.NaN])('a maximum of %s tokens is rejected', async (most) => {
    await expect(read('a.txt', 'x', { most })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.most',
    });
  });

  test('a count that leaves out texts is rejected', async () => {
    await expect(read('a.txt', 'x', { count: async () => [] })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.count',
    });
  });

  test.each([
    ['a.md', `${' '.repeat(2000)}a`, ['a']],
    ['a.md', `\`\`\`\n${' '.repeat(3000)}\nlet x;\n\`\`\``, ['let x;']],
    ['a.html', `<h1>A</h1><pre>${' '.repeat(3000)}\nx y</pre>`, ['A: x y']],
  ])('white space alone is no passage: %s', async (path, text, expected) => {
    const passages = await passagesOf(path, text, { most: 20, count: countWords });
    expect(passages.map((passage) => passage.text)).toEqual(expected);
  });

  test('an abort takes effect before and during the work', async () => {
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
