import { describe, expect, test } from 'vitest';
import {
  linkOf,
  type SearchLink,
  searchParameters,
} from '../../../../../web/demo/search/results/search-link.ts';
import { readLink, writeLink } from '../../../../../web/demo/shared/page-address/parameters.ts';

const read = (search: string): SearchLink => readLink(search, searchParameters);
const write = (search: string, link: SearchLink): string =>
  writeLink(search, searchParameters, link);

describe('the address of a question', () => {
  test('is read as it was written', () => {
    for (const mode of ['meaning', 'words'] as const) {
      const link = { query: 'fish & chips? +50 %', mode, sources: ['a b.txt', 'Kitchen'], url: '' };
      expect(read(write('', link))).toEqual(link);
    }
  });

  test('keeps other parameters, and is empty without a question', () => {
    const options = { mode: 'meaning', sources: ['Kitchen'] } as const;
    expect(
      write('?flavour=baseline&q=old&source=x', linkOf({ query: 'tides', url: '' }, options)),
    ).toBe('?flavour=baseline&q=tides&mode=meaning&source=Kitchen');
    expect(write('?flavour=baseline&q=old', linkOf({ query: '', url: '' }, options))).toBe(
      '?flavour=baseline',
    );
    expect(write('?q=old', linkOf({ query: '', url: 'hf:a/b' }, options))).toBe('?url=hf%3Aa%2Fb');
  });

  test('may have invalid parameters', () => {
    expect(read('?q=%E0%A4%A&source=&source=a&source=a').sources).toEqual(['a']);
    expect(read(`?q=${'x'.repeat(5000)}`).query).toHaveLength(2000);
    expect(read('?mode=odd')).toEqual({ query: '', mode: 'words', sources: [], url: '' });
  });
});
