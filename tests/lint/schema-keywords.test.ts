// The page of grammars lists what the core's tables of JSON Schema hold.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('core/text/grammar/README.md').replaceAll(/\s+/g, ' ');
const keywords = [
  ...read('core/text/grammar/schema/keywords.cpp').matchAll(/Keyword\{"([^"]+)", (\w+)\}/g),
].map(([, name = '', use = '']) => ({ name, use }));
const formats = [
  ...read('core/text/grammar/schema/string_formats.cpp').matchAll(/^ {4}\{"([^"]+)",/gm),
].map(([, name = '']) => name);

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
const withUse = (use: string) =>
  keywords.filter((keyword) => keyword.use === use).map(({ name }) => name);

it.each([
  ['Ignored', withUse('Annotation')],
  ['Refused', withUse('Refused')],
  ['Formats that are enforced', formats],
])('%s: the list of the table', (name, names) => {
  expect(names.length).toBeGreaterThan(0);
  expect(page).toContain(`- ${name}: ${listed(names)}`);
});

it('has a row for each keyword that is enforced', () => {
  const enforced = keywords.filter(({ use }) => use !== 'Annotation' && use !== 'Refused');
  const rows = page.slice(page.indexOf('| keyword |'), page.indexOf('`not`, and `oneOf`'));
  expect(enforced.filter(({ name }) => !rows.includes(`\`${name}\``))).toEqual([]);
});
