import { describe, expect, test } from 'vitest';
import { readLink, writeLink } from '../../../../../web/demo/search/results/permalink.ts';

describe('the address of a question', () => {
  test('is read as it was written', () => {
    for (const mode of ['meaning', 'words'] as const) {
      const link = { query: 'fish & chips? +50 %', mode, sources: ['a b.txt', 'Kitchen'] };
      expect(readLink(writeLink('', link))).toEqual(link);
    }
  });

  test('keeps other parameters, and is empty without a question', () => {
    const link = { query: 'tides', mode: 'meaning', sources: [] } as const;
    expect(writeLink('?flavour=baseline&q=old&mode=words&source=x', link)).toBe(
      '?flavour=baseline&q=tides',
    );
    expect(writeLink('?flavour=baseline&q=old', { ...link, query: '' })).toBe('?flavour=baseline');
    expect(writeLink('?q=old', { ...link, query: '' })).toBe('');
  });

  test('may have invalid parameters', () => {
    expect(readLink('?q=%E0%A4%A&source=&source=a&source=a').sources).toEqual(['a']);
    expect(readLink(`?q=${'x'.repeat(5000)}`).query).toHaveLength(2000);
    expect(readLink('?mode=odd')).toEqual({ query: '', mode: 'meaning', sources: [] });
  });
});
