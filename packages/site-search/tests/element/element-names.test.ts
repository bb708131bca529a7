// The README names each piece that a page may style, and Node may import the element.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { englishStrings } from '../../src/element/strings.ts';
import { css } from '../../src/element/styles.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [, element = ''] = /\n## The search box\n(.*?)\n## /s.exec(readme) ?? [];
const named = new Set([...element.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));

const folder = new URL('../../src/element/', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');

test('each part', () => {
  const parts = new Set(
    [...sources.matchAll(/\bpart(?::|',)[^'\n]*'([\w -]+)'(?: : '([\w -]+)')?/g)]
      .flatMap(([, one = '', other = '']) => `${one} ${other}`.split(' '))
      .filter(Boolean),
  );
  expect(parts.size).toBeGreaterThan(35);
  expect([...parts].filter((part) => !named.has(part))).toEqual([]);
});

test('each variable', () => {
  const variables = new Set(
    [...css.matchAll(/--ambry-search-([\w-]+)/g)].map(([, name = '']) => name),
  );
  expect(variables.size).toBeGreaterThan(12);
  expect([...variables].filter((name) => !named.has(name))).toEqual([]);
});

test('each string is used', () => {
  const unused = Object.keys(englishStrings).filter(
    (name) => sources.split(name).length < 4 && !sources.includes(`'${name}'`),
  );
  expect(unused).toEqual([]);
});

test('the element is imported where there are no elements', async () => {
  expect(globalThis.HTMLElement).toBeUndefined();
  const { AmbrySearch } = await import('../../src/element.ts');
  expect(AmbrySearch.observedAttributes).toContain('src');
});
