// The words that pages explain, from the glossary.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTerms, termsFold } from '../../../web/build/terms-plugin.ts';
import { sitePages } from '../../../web/demo/shell/pages.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const terms = readTerms(read('docs/glossary.md'));

test('an entry has its names and its definition, without marks', () => {
  expect(terms.get('Encoder')?.definition).toMatch(/^A model that reads a text/);
  expect(terms.get('Reranker')?.term).toBe('Reranker, or cross-encoder');
  expect(terms.get('CNN')?.term).toBe('CNN (convolutional neural network)');
  expect([...terms.values()].some(({ definition }) => /[*`\n]/.test(definition))).toBe(false);
});

test('markup in a definition stays text', () => {
  const odd = readTerms('**A & b**: the tag `<b>`, "quoted".');
  expect(termsFold(['A & b'], odd, './')).toContain(
    '<dt>A &#38; b</dt><dd>The tag &#60;b&#62;, &#34;quoted&#34;.</dd>',
  );
});

test('a word without an entry is refused', () => {
  expect(() => termsFold(['Unheard'], terms, './')).toThrow(/no entry "Unheard"/);
});

test.each(
  sitePages.filter(({ path }) => !path.startsWith('playground')),
)('$path explains its words, and all of them are in the glossary', ({ terms: names = '' }) => {
  expect(() => termsFold(names.split('; '), terms, './')).not.toThrow();
});
