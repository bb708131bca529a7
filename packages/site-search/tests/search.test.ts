// Searches of a small site by words, and wrong calls.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSiteSearch, type SiteSearch } from '../src/index.ts';
import { opened, titles } from './support/open-pages.ts';
import { animals, makeSite, page } from './support/site.ts';

describe('by words', () => {
  const words = { mode: 'words' } as const;

  test('finds pages, sections and the places of the words', async () => {
    const site = await opened(animals, { model: false });
    const answer = await site.search('kitten meals', words);
    expect(answer).toMatchObject({ state: 'found', by: 'words', meaning: 'off', total: 1 });
    const [hit] = answer.pages;
    expect(hit).toMatchObject({ title: 'Cats', language: 'en', filters: { kind: ['pet'] } });
    expect(hit?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/cats\.html$/);
    const [section] = hit?.sections ?? [];
    expect(section).toMatchObject({ heading: 'Feeding', url: `${hit?.url}#food` });
    const { text = '', highlights = [] } = section?.excerpt ?? {};
    expect(highlights.map(([start, end]) => text.slice(start, end))).toEqual(['Kittens', 'meals']);
    expect(hit?.cosine).toBeUndefined();
  });

  test.each([
    ['other forms', 'sleeping', 'Cats'],
    ['the first letters of the last word', 'gal', 'Sails'],
    ['one letter', 'g', 'Sails'],
    ['letters beyond the stem', 'sailor', 'Sails'],
    ['capitals and accents', 'KÍTTENS', 'Cats'],
    ['words of the title', 'animals', 'Animals'],
    ['words of a heading', 'storms', 'Sails'],
  ])('finds %s', async (_, query, title) => {
    const site = await opened(animals, { model: false });
    expect(titles(await site.search(query, words))[0]).toBe(title);
  });

  test.each([
    'reliability',
    'storing',
    'capabilities',
    'universities',
    'making',
  ])('finds %s while it is typed', async (word) => {
    const fill = Array.from({ length: 400 }, (_, i) => `${word.slice(0, 3)}${i}x`).join(' ');
    const pages = { 'a.html': page('A', `<p>The ${word} of it.</p>`), 'b.html': page('B', fill) };
    const site = await opened(pages, { model: false });
    for (let length = 1; length <= word.length; length++) {
      const found = titles(await site.search(word.slice(0, length), words));
      expect(found, word.slice(0, length)).toContain('A');
    }
  });

  test.each([
    ['pl', 'Łódź', 'lodz'],
    ['da', 'København', 'kobenhavn'],
    ['fr', 'nœud', 'noeud'],
    ['de', 'Netzgerät', 'netzgeraet'],
    ['de', 'Goethe', 'göthe'],
    ['en', 'encyclopædia', 'encyclopaedia'],
    ['fa', 'می\u200cخواهم', 'ميخواهم'],
    ['hi', 'हिंदी', 'हिन्दी'],
    ['en', '🚀', '🚀'],
  ])('finds letters of %s: %s by %s', async (lang, text, query) => {
    const pages = {
      'a.html': page('A', `<p>${text}</p>`, lang),
      'b.html': page('B', '<p>ship</p>', lang),
    };
    const site = await opened(pages, { model: false });
    expect(titles(await site.search(`${query} `, words))).toEqual(['A']);
  });

  test.each([
    ['kitens meals', 'kittens meals', 'Cats'],
    ['anmials', 'animals', 'Animals'],
    ['sailros', 'sailors', 'Sails'],
    ['knottent', 'content', undefined],
    ['slep', undefined, undefined],
  ])('reads "%s" as %s', async (query, corrected, title) => {
    const site = await opened(animals, { model: false });
    const answer = await site.search(`${query} `, words);
    expect(answer.corrected).toBe(title === undefined ? undefined : `${corrected} `);
    expect(titles(answer)[0]).toBe(title);
  });

  test('corrects no word that a page has, or begins to have', async () => {
    const pages = {
      'a.html': page('A', '<p>lantern</p>'),
      'b.html': page('B', '<p>lanterns pattern</p>'),
    };
    const site = await opened(pages, { model: false });
    for (const query of ['lantern ', 'pattern', 'lanter']) {
      expect((await site.search(query, words)).corrected, query).toBeUndefined();
    }
  });

  test('finds nothing by a word that says little, if the others are nowhere', async () => {
    const fill = Array.from({ length: 30 }, (_, i): [string, string] => [
      `p${i}.html`,
      page(`Page ${i}`, `<p>Item${i} ${i % 3 === 0 ? 'how it works' : 'is here'}.</p>`),
    ]);
    const site = await opened(Object.fromEntries(fill), { model: false });
    expect((await site.search('how do zebras graze ', words)).total).toBe(0);
    expect(await site.search('how ', words)).toMatchObject({ state: 'no-words', total: 0 });
  });

  test('finds phrases in quotation marks only where their words stand one after another', async () => {
    const pages = {
      'a.html': page('A', '<p>The man bites the dog.</p>'),
      'b.html': page('B', '<p>The dog bites the man. A man of bites.</p>'),
      'c.html': page('C', '<h2>Dog bites man</h2><p>News.</p>'),
      'd.html': page('D', '<p>A man.</p>'),
    };
    const site = await opened(pages);
    for (const mode of ['words', 'hybrid'] as const) {
      const found = async (query: string) => {
        const answer = await site.search(query, { mode });
        expect(answer.total).toBe(answer.pages.length);
        return titles(answer).sort();
      };
      expect(await found('"man bites"')).toEqual(['A']);
      expect(await found('“Dog bites”')).toEqual(['B', 'C']);
      expect(await found('"dog bites" "news"')).toEqual(['C']);
      expect(await found('"dog man"')).toEqual([]);
      expect((await site.search('"man bites', { mode })).pages.length).toBeGreaterThan(1);
    }
    await site.dispose();
  });

  test('takes a word for complete if something follows it', async () => {
    const site = await opened(animals, { model: false });
    expect((await site.search('gal', words)).state).toBe('found');
    expect((await site.search('gal ', words)).state).toBe('no-words');
  });

  test.each(['', '   ', '!?', '…'])('says that "%s" has no words', async (query) => {
    const site = await opened(animals, { model: false });
    expect(await site.search(query, words)).toMatchObject({ state: 'empty', pages: [], total: 0 });
  });

  test('stems words by the language of each page', async () => {
    const site = await opened({
      'en.html': page('Houses', '<p>Many houses stand here.</p>'),
      'de.html': page(
        'Häuser',
        '<p>Die Häuser stehen am Fluss. Wir gingen spazieren.</p>',
        'de-AT',
      ),
      'zh.html': page('猫', '<p>我的猫喜欢睡觉。</p>', 'zh'),
    });
    expect(titles(await site.search('fluss', words))).toEqual(['Häuser']);
    expect(titles(await site.search('Haus ', words))).toEqual(['Häuser']);
    expect(titles(await site.search('house ', words))).toEqual(['Houses']);
    const chinese = await site.search('喜欢睡觉', words);
    expect(titles(chinese)).toEqual(['猫']);
    const { text = '', highlights = [] } = chinese.pages[0]?.excerpt ?? {};
    expect(highlights.map(([start, end]) => text.slice(start, end))).toEqual(['喜欢睡觉']);
  });

  test('ranks by title, by weight, and by how often and how rare words are', async () => {
    const filler = 'some other words that are here to fill the page with text';
    const site = await opened({
      'a.html': page('Zebra', `<p>${filler} one</p>`),
      'b.html': page('B', `<p>${filler} zebra two</p>`),
      'c.html': page('C', `<p data-ambry-weight="5">${filler} zebra three</p>`),
      'd.html': page('D', `<p data-ambry-weight="0.1">${filler} zebra four</p>`),
    });
    expect(titles(await site.search('zebra ', words))).toEqual(['Zebra', 'C', 'B', 'D']);
  });

  test('ranks a page first whose heading is what was typed', async () => {
    const often = 'a zebra stable and a zebra in a stable for the zebra of the stable. '.repeat(3);
    const site = await opened({
      'a.html': page('A', `<h2>Notes</h2><p>${often}</p>`),
      'b.html': page('B', '<h2>The zebra stable</h2><p>Here is where the animals sleep.</p>'),
      'c.html': page('C', `<h2>Zebra and horses</h2><p>${often}</p>`),
    });
    expect(titles(await site.search('the zebra stable ', words))[0]).toBe('B');
  });

  test('counts the words of all parts of a page', async () => {
    const filler = Array.from({ length: 14 }, (_, i) => {
      const text = `This passage ${i} of a long page has nothing to tell. `.repeat(14);
      return `<h2>Passage ${i}</h2><p>${text}</p>`;
    }).join('');
    const other = `${filler}<p>unrelated</p>`;
    const site = await opened({
      'a.html': page('A', `<p>zebra zebra zebra</p>${other}`),
      'b.html': page('B', `<p>stable stable stable</p>${other}`),
      'c.html': page('C', `<p>zebra</p>${filler}<p>stable</p>`),
    });
    expect(titles(await site.search('zebra stable ', words))[0]).toBe('C');
  });

  test('puts a short page before a long one that has the words, too', async () => {
    const filler = Array.from({ length: 24 }, (_, i) => {
      const text = Array.from({ length: 120 }, (_, k) => `word${i}x${k}`).join(' ');
      return `<h2>Passage ${i}</h2><p>${text}</p>`;
    });
    const own = `<h2>Animals</h2><p>zebra stable ${'other words here '.repeat(30)}</p>`;
    const site = await opened({
      'a.html': page('A', [...filler, own].join('')),
      'b.html': page('B', own),
    });
    expect(titles(await site.search('zebra stable ', words))).toEqual(['B', 'A']);
  });

  test('leaves out words that most pages have, and finds pages by them if there are no others', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `${i}.html`,
        page(`Page ${i}`, `<p>the item${i} of the list</p>`),
      ]),
    );
    const site = await opened(pages, { model: false });
    expect((await site.search('the item7 ', words)).total).toBe(1);
    expect((await site.search('the unknown ', words)).state).toBe('no-words');
    expect(await site.search('list ', { ...words, k: 5 })).toMatchObject({
      state: 'found',
      total: 60,
    });
  });

  test('shows the piece of a long passage that has the words', async () => {
    const filler = 'These words fill the passage so that it is long enough to be cut. '.repeat(5);
    const site = await opened({
      'a.html': page('A', `<p>${filler}Here is the zebra at last.</p>`),
    });
    const [hit] = (await site.search('zebra ', { ...words, excerptLength: 80 })).pages;
    expect(hit?.excerpt.text.length).toBeLessThanOrEqual(80);
    expect(hit?.excerpt).toMatchObject({
      isCutBefore: true,
      text: expect.stringContaining('zebra'),
    });
  });

  test('never gives HTML a meaning', async () => {
    const site = await opened({
      'a.html': page('A', '<p>Use &lt;script&gt;alert(1)&lt;/script&gt; zebra</p>'),
    });
    const [hit] = (await site.search('zebra', words)).pages;
    expect(hit?.excerpt.text).toBe('Use <script>alert(1)</script> zebra');
  });
});

describe('filters and facets', () => {
  const words = { mode: 'words' } as const;
  const made = (kind: string, level: string) =>
    page(
      `${kind} ${level}`,
      `<p>zebra ${kind} ${level}</p><i data-ambry-filter="kind:${kind}, level:${level}"></i>`,
    );

  /** A site whose files a function gives, and not an address. */
  async function filteredSite(): Promise<SiteSearch> {
    const { out } = await makeSite({
      'a.html': made('guide', 'easy'),
      'b.html': made('guide', 'hard'),
      'c.html': made('reference', 'hard'),
      'd.html': page('No kind', '<p>zebra</p>'),
    });
    const fetch = async (path: string) =>
      new Response(new Uint8Array(await readFile(join(out, path))));
    return openSiteSearch({ fetch }, { model: false, site: 'https://a.example/docs/' });
  }

  test('limit the pages', async () => {
    const site = await filteredSite();
    const found = async (filters: Record<string, string | string[]>) =>
      titles(await site.search('zebra', { ...words, filters })).sort();
    expect(await found({ kind: 'guide' })).toEqual(['guide easy', 'guide hard']);
    expect(await found({ kind: 'guide', level: 'hard' })).toEqual(['guide hard']);
    expect(await found({ level: ['easy', 'hard'] })).toHaveLength(3);
    expect(await found({ kind: 'none' })).toEqual([]);
    expect(await found({ lang: 'en' })).toHaveLength(4);
  });

  test('are counted, each as if it were not set', async () => {
    const site = await filteredSite();
    const { facets, total } = await site.search('zebra', {
      ...words,
      filters: { kind: 'guide' },
      facets: ['kind', 'level'],
    });
    expect(total).toBe(2);
    expect(facets).toEqual({
      kind: [
        { value: 'guide', pages: 2 },
        { value: 'reference', pages: 1 },
      ],
      level: [
        { value: 'easy', pages: 1 },
        { value: 'hard', pages: 1 },
      ],
    });
    const all = await site.search('zebra', { ...words, facets: true });
    expect(Object.keys(all.facets ?? {})).toEqual(['kind', 'lang', 'level']);
  });

  test('that the index does not have are refused', async () => {
    const site = await filteredSite();
    const place = { code: 'NotFound', path: 'options.filters.colour' };
    await expect(site.search('zebra', { filters: { colour: 'red' } })).rejects.toMatchObject(place);
    const facets = site.search('zebra', { facets: ['colour'] });
    await expect(facets).rejects.toMatchObject({ code: 'NotFound', path: 'options.facets' });
  });

  test('have addresses below the site that is stated', async () => {
    const site = await filteredSite();
    const { pages } = await site.search('easy', words);
    expect(pages[0]?.url).toBe('https://a.example/docs/a.html');
  });
});

describe('wrong calls', () => {
  test.each([
    ['query', 5, {}],
    ['options.k', 'a', { k: 0 }],
    ['options.k', 'a', { k: 101 }],
    ['options.mode', 'a', { mode: 'other' }],
    ['options.excerptLength', 'a', { excerptLength: 1.5 }],
    ['options.filters.kind', 'a', { filters: { kind: 5 } }],
  ])('are refused at %s', async (path, query, options) => {
    const site = await opened(animals, { model: false });
    const made = site.search(query as string, options as object);
    await expect(made).rejects.toMatchObject({ code: 'BadValue', path });
  });

  test.each<[string, (site: SiteSearch) => Promise<unknown>]>([
    ['search', (site) => site.search('cat', { filter: {} } as object)],
    ['answers', (site) => site.answers('cat', { mode: 'words' } as object).next()],
    ['prepare', (site) => site.prepare({ signals: [] } as object)],
    ['openSiteSearch', () => openSiteSearch('https://a.example/', { modell: false } as object)],
  ])('of %s with an option that it does not have are refused', async (_, call) => {
    const site = await opened(animals, { model: false });
    await expect(call(site)).rejects.toMatchObject({
      code: 'BadValue',
      message: expect.stringMatching(/^There is no option "\w+"\. The options are: .*signal/),
    });
  });

  test('have a bounded query', async () => {
    const site = await opened(animals, { model: false });
    const answer = await site.search('kitten '.repeat(10_000), { mode: 'words' });
    expect(answer.state).toBe('found');
  });
});
