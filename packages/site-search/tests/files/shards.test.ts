// A site with many words: a search fetches the shards that it needs, and few bytes.
import { describe, expect, test } from 'vitest';
import { openSiteSearch } from '../../src/index.ts';
import { makeSite, page, serveSite } from '../support/site.ts';

const syllables = [
  'ba',
  'co',
  'du',
  'fe',
  'gi',
  'ka',
  'lo',
  'mu',
  'ne',
  'pi',
  'ra',
  'so',
  'tu',
  've',
  'zi',
];
/** A word for each number, which begins with any of 15 letters. */
const word = (i: number) =>
  [i % 15, Math.floor(i / 15) % 15, Math.floor(i / 225) % 15, Math.floor(i / 3375)]
    .map((part) => syllables[part])
    .join('');

async function manyWords() {
  const pages = Object.fromEntries(
    Array.from({ length: 150 }, (_, i) => {
      const own = Array.from({ length: 60 }, (_, j) => word(i * 60 + j)).join(' ');
      return [`p${i}.html`, page(`Page ${i}`, `<p>${own}.</p>`)];
    }),
  );
  const { folder } = await makeSite(pages);
  const server = await serveSite(folder);
  const search = await openSiteSearch(server.url, { model: false });
  server.requests.length = 0;
  const shards = () => server.requests.filter(({ path }) => path.includes('/words/')).length;
  return { search, server, shards };
}

describe('a search', () => {
  test('for a word fetches its shard and that of names, and nothing again', async () => {
    const { search, server, shards } = await manyWords();
    const answer = await search.search(`${word(4567)} `);
    expect(answer.pages.map(({ title }) => title)).toEqual([`Page ${Math.floor(4567 / 60)}`]);
    expect(shards()).toBe(2);
    const count = server.requests.length;
    await search.search(`${word(4567)} `);
    expect(server.requests).toHaveLength(count);
  });

  test.each([
    1, 2, 3, 4, 6,
  ])('for the first %d letters fetches two shards and that of names at most', async (length) => {
    const { search, server, shards } = await manyWords();
    const prefix = word(4567).slice(0, length);
    const answer = await search.search(prefix);
    expect(answer.state).toBe('found');
    for (const { excerpt } of answer.pages) {
      expect(excerpt.highlights.length).toBeGreaterThan(0);
      for (const [start, end] of excerpt.highlights) {
        expect(excerpt.text.slice(start, end).toLowerCase()).toMatch(new RegExp(`^${prefix}`));
      }
    }
    expect(shards()).toBeLessThanOrEqual(3);
    expect(server.requests.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(40_000);
  });

  test('below the first and above the last word finds nothing', async () => {
    const { search } = await manyWords();
    for (const query of ['000', 'aaaa', 'zzzz', '\u{10ffff}']) {
      expect((await search.search(`${query} `)).pages).toEqual([]);
    }
  });
});
