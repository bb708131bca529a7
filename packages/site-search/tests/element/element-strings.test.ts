// What the element says.
import { describe, expect, test } from 'vitest';
import { Phrases } from '../../src/element/strings.ts';

describe('the strings', () => {
  test('count as English does', () => {
    const phrases = new Phrases({}, 'en');
    expect(phrases.count('pages', 1)).toBe('1 page');
    expect(phrases.count('pages', 1234)).toBe('1,234 pages');
    expect(phrases.count('found', 2, { query: 'cats' })).toBe('2 pages for cats');
  });

  test('that stay English count as English does, on a page in another language too', () => {
    const phrases = new Phrases({ pages: { other: '{count} 页' } }, 'zh');
    expect(phrases.count('pages', 1)).toBe('1 页');
    expect(phrases.count('found', 1, { query: 'x' })).toBe('1 page for x');
    expect(new Phrases({}, 'fr').count('pages', 0)).toBe('0 pages');
  });

  test('are replaced one by one, with the plurals of the language', () => {
    const pages = { one: '{count} strona', few: '{count} strony', other: '{count} stron' };
    const phrases = new Phrases({ pages, placeholder: 'Szukaj' }, 'pl');
    expect([1, 3, 5, 22].map((count) => phrases.count('pages', count))).toEqual([
      '1 strona',
      '3 strony',
      '5 stron',
      '22 strony',
    ]);
    expect(phrases.text('placeholder')).toBe('Szukaj');
    expect(phrases.text('clear')).toBe('Clear the search');
  });

  test('have the numbers of the language', () => {
    const phrases = new Phrases({}, 'de');
    expect(phrases.number(1234567)).toBe('1.234.567');
    expect(phrases.percent(0.5)).toMatch(/^50\s%$/);
    expect(phrases.size(4_321_000)).toBe('4,3 MB');
    expect(new Phrases({}, 'ar').count('pages', 3)).toMatch(/ pages$/);
  });

  test('do not fill in what a text brings', () => {
    const phrases = new Phrases({}, 'en');
    expect(phrases.text('noWords', { query: '{count} $& {query}' })).toBe(
      'No page has “{count} $& {query}”',
    );
  });

  test.each(['', 'x-', 'not a locale', undefined])('survive the language %s', (locale) => {
    expect(new Phrases({}, locale).count('pages', 2)).toMatch(/2/);
  });

  test('name filters and languages', () => {
    const phrases = new Phrases({ filterNames: { kind: 'Art' } }, 'de');
    expect(phrases.filterName('kind')).toBe('Art');
    expect(phrases.filterName('page-type')).toBe('Page type');
    expect(phrases.filterName('constructor')).toBe('Constructor');
    expect(phrases.filterName('lang')).toBe('Language');
    expect(phrases.filterValue('lang', 'fr')).toBe('Französisch');
    expect(phrases.filterValue('lang', '??')).toBe('??');
    expect(phrases.filterValue('kind', 'fr')).toBe('fr');
  });
});
