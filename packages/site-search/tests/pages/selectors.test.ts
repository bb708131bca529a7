// Selectors of one element, and the addresses of pages.
import { expect, test } from 'vitest';
import { matcherOf } from '../../src/build/html/selectors.ts';
import { pageUrl } from '../../src/build/site-files.ts';

test.each([
  ['main', 'main', {}, true],
  ['MAIN', 'main', {}, true],
  ['main', 'div', {}, false],
  ['.a', 'div', { class: 'b a' }, true],
  ['.a', 'div', { class: 'ab' }, false],
  ['div.a.b', 'div', { class: 'b a' }, true],
  ['div.a.b', 'div', { class: 'b' }, false],
  ['p.a', 'div', { class: 'a' }, false],
  ['#top', 'h1', { id: 'top' }, true],
  ['[data-x]', 'p', { 'data-x': '' }, true],
  ['[data-x=1]', 'p', { 'data-x': '1' }, true],
  ['[data-x="a, b"]', 'p', { 'data-x': 'a, b' }, true],
  ['[data-x="1"]', 'p', { 'data-x': '2' }, false],
  ['h2, *[role=note]', 'aside', { role: 'note' }, true],
  [undefined, 'main', {}, false],
])('%s on <%s> with %j is %s', (selector, name, attributes, expected) => {
  expect(matcherOf(selector, 'options.content')(name, attributes)).toBe(expected);
});

test.each(['', 'a b', 'a > b', '.a,', 'a:hover', '.', '[x'])('%j is refused', (selector) => {
  expect(() => matcherOf(selector, 'options.ignore')).toThrow(
    expect.objectContaining({ code: 'BadValue', path: 'options.ignore' }),
  );
});

test.each([
  ['index.html', {}, ''],
  ['a/index.html', {}, 'a/'],
  ['a/index.html', { trailingSlash: false }, 'a'],
  ['index.html', { trailingSlash: false }, ''],
  ['a/b c.html', { cleanUrls: true }, 'a/b%20c'],
  ['a.html', { trailingSlash: false }, 'a.html'],
])('the page %s with %j has the address %j', (path, options, expected) => {
  expect(pageUrl(path, options)).toBe(expected);
});
