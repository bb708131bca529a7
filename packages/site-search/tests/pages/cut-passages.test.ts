// Passages: their length, and where they are cut.
import { describe, expect, test } from 'vitest';
import { cutPassages, passageTokens } from '../../src/build/cut-passages.ts';
import type { PageContent } from '../../src/build/html/page-content.ts';
import { sectionText } from '../../src/build/html/page-content.ts';
import { readPage } from '../../src/build/html/read-page.ts';

/** Words are tokens, and long ones are several. */
const count = async (texts: readonly string[]) =>
  texts.map((text) => text.split(/\s+/).reduce((sum, word) => sum + Math.ceil(word.length / 8), 0));

async function cut(html: string) {
  const content = readPage(`<title>T</title><main>${html}</main>`, 'page.html');
  const passages = await cutPassages(content, count, 'page.html');
  return { content, passages, texts: textsOf(content, passages) };
}

function textsOf({ sections }: PageContent, passages: Awaited<ReturnType<typeof cutPassages>>) {
  const texts = sections.map(sectionText);
  return passages.map(({ section, start, end }) => texts[section]?.slice(start, end) ?? '');
}

const sentence = (i: number) => `Sentence ${i} has these nine words and no more.`;
const sentences = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => sentence(from + i)).join(' ');

describe('passages', () => {
  test('have the whole text, in its order, and at most so many tokens', async () => {
    const { content, texts } = await cut(
      `<p>${sentences(0, 100)}</p><p>${sentences(100, 130)}</p>`,
    );
    const whole = content.sections.map(sectionText).join(' ').replace(/\s+/g, ' ');
    expect(texts.join(' ').replace(/\s+/g, ' ')).toBe(whole);
    for (const tokens of await count(texts)) {
      expect(tokens).toBeLessThanOrEqual(passageTokens);
    }
    expect(texts.length).toBeLessThan(20);
  });

  test('are of one section', async () => {
    const { passages } = await cut('<h2>A</h2><p>One.</p><h2>B</h2><p>Two.</p>');
    expect(passages.map(({ section }) => section)).toEqual([0, 1]);
  });

  test('join short paragraphs, and begin with a paragraph where the one before is long enough', async () => {
    const { texts } = await cut(`<p>One.</p><p>Two.</p><p>${sentences(0, 8)}</p><p>Next.</p>`);
    expect(texts).toEqual([`One.\nTwo.\n${sentences(0, 8)}`, 'Next.']);
  });

  test('are of one weight', async () => {
    const { passages } = await cut('<p>One.</p><p data-ambry-weight="3">Two.</p>');
    expect(passages.map(({ weight }) => weight)).toEqual([1, 3]);
  });

  test('divide a sentence that is too long at spaces', async () => {
    const words = Array.from({ length: 600 }, (_, i) => `word${i}`).join(' ');
    const { texts } = await cut(`<p>${words}</p>`);
    expect(texts.join(' ').replace(/\s+/g, ' ')).toBe(words);
    for (const tokens of await count(texts)) {
      expect(tokens).toBeLessThanOrEqual(passageTokens);
    }
  });

  test('divide a word without an end, and no pair of surrogates', async () => {
    const word = '😀'.repeat(3000);
    const { texts } = await cut(`<p>${word}</p>`);
    expect(texts.join('')).toBe(word);
    expect(texts.length).toBeGreaterThan(3);
    for (const text of texts) {
      expect(text).toMatch(/^(😀)+$/u);
    }
  });

  test('are not long, however few tokens a text has', async () => {
    const one = async (texts: readonly string[]) => texts.map(() => 1);
    const content = readPage(`<main>${'x'.repeat(100_000)}</main>`, 'page.html');
    const passages = await cutPassages(content, one, 'page.html');
    expect(Math.max(...passages.map(({ start, end }) => end - start))).toBeLessThan(5000);
    expect(textsOf(content, passages).join('')).toBe('x'.repeat(100_000));
  });

  test('of a page without text are none', async () => {
    expect((await cut('<h1>Only a heading</h1>')).passages).toEqual([]);
  });
});
