// Parts of pages: their length, and what is embedded of them.
import { describe, expect, test } from 'vitest';
import type { CutPassage } from '../../src/build/cut-passages.ts';
import { sectionText } from '../../src/build/html/page-content.ts';
import { readPage } from '../../src/build/html/read-page.ts';
import { pageParts, partTokens } from '../../src/build/page-parts.ts';
import { embeddedText } from '../../src/shared/part-text.ts';

/** A page whose sections are cut into so many passages of so many tokens each. */
function partsOf(html: string, passagesOfSection: number, tokens: number) {
  const content = readPage(`<title>T</title><main>${html}</main>`, 'page.html');
  const cut = content.sections.flatMap((section, i): CutPassage[] => {
    const length = Math.ceil(sectionText(section).length / passagesOfSection);
    return Array.from({ length: passagesOfSection }, (_, j) => {
      const end = Math.min((j + 1) * length, sectionText(section).length);
      return { section: i, start: j * length, end, weight: 1, tokens };
    });
  });
  const page = { path: 'page.html', url: 'page.html', content };
  return { content, cut, parts: pageParts(page, cut) };
}

const section = (i: number) => `<h2 id="s${i}">Heading ${i}</h2><p>Text of section ${i} here.</p>`;
const sections = (count: number) => Array.from({ length: count }, (_, i) => section(i)).join('');

describe('parts', () => {
  test('of a page are about as long as each other', () => {
    const { cut, parts } = partsOf(sections(50), 2, 30);
    const lengths = parts.map(({ text }) => text.passages.length * 30);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(cut.length * 30);
    expect(parts).toHaveLength(Math.round((cut.length * 30) / partTokens));
    for (const length of lengths) {
      expect(Math.abs(length - partTokens)).toBeLessThan(31);
    }
  });

  test('have all the text, and a short page is one', () => {
    const { content, parts } = partsOf(sections(3), 1, 20);
    expect(parts).toHaveLength(1);
    expect(parts[0]?.text.sections.map(({ text }) => text)).toEqual(
      content.sections.map(sectionText),
    );
  });

  test('are embedded with each heading once, and without one below the title', () => {
    const { parts } = partsOf(`<p>Before it.</p>${sections(2)}`, 2, 10);
    expect(parts.map(({ text }) => embeddedText(text))).toEqual([
      'T: Befor\ne it.\nHeading 0: Text of sect\nion 0 here.\nHeading 1: Text of sect\nion 1 here.',
    ]);
  });
});
