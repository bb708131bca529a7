// The page whose name is the query is first: by its title, file, heading or identifier.
import { describe, expect, test } from 'vitest';
import { readPage } from '../../src/build/html/read-page.ts';
import { openSiteSearch } from '../../src/index.ts';
import { nameKey, wordsInside, wordsOfName } from '../../src/shared/names.ts';
import { makeSite, type Pages, page, serveSite } from '../support/site.ts';

const keyOf = (name: string) => nameKey(wordsOfName(name));

describe('the key of a name', () => {
  test.each([
    ['git merge', 'git-merge'],
    ['Deno.serve', 'deno serve'],
    ['PPR-9087', 'ppr9087'],
    ['v1.2', '1.2'],
    ['getUserById', 'get user by id'],
    ['Łódź', 'lodz'],
  ])('is one for %s and %s', (a, b) => expect(keyOf(a)).toBe(keyOf(b)));

  test.each([
    ['1.2.3', '12.3'],
    ['C++', 'C'],
    ['F#', 'F'],
  ])('is not one for %s and %s', (a, b) => expect(keyOf(a)).not.toBe(keyOf(b)));

  test('is none for no words, and for more than a name has', () => {
    expect(keyOf('?!')).toBeUndefined();
    expect(keyOf('word '.repeat(40))).toBeUndefined();
  });

  test('has the words inside of identifiers', () => {
    expect(wordsInside('getUserById')).toEqual(['get', 'User', 'By', 'Id']);
    expect(wordsInside('HTMLElement2')).toEqual(['HTML', 'Element', '2']);
    expect(wordsInside('plain')).toEqual([]);
  });
});

const commands = ['merge', 'log', 'show', 'am', 'for-each-ref', 'status', 'commit', 'diff', 'add'];
const tool: Pages = {
  ...Object.fromEntries(
    commands.map((name) => [
      `tool-${name}.html`,
      page(`tool-${name}(1)`, `<h2>NAME</h2><p>tool-${name} works on files.</p>`),
    ]),
  ),
  'tool-show-branch.html': page('tool-show-branch(1)', '<p>show show show branch</p>'),
  'logos.html': page('Logos', '<p>A logo. Our logo is a logo of logos.</p>'),
  'many.html': page('Commands', '<p>merge merge merge show show status commit diff add am</p>'),
  'api.html': page('API', '<h2 id="g">getUserById</h2><p>Reads one.</p>'),
  'v1.2.30.html': page('Release 1.2.30', '<p>Notes on a fix.</p>'),
  'v1.2.3.html': page('Release 1.2.3', '<p>Notes on a change.</p>'),
  'v3.2.1.html': page('Release 3.2.1', '<p>Notes on news.</p>'),
  'part.html': page('Spare parts', '<h2 id="p">PPR-9087</h2><p>A pump.</p>'),
  'numbers.html': page('Some numbers 4.7', '<p>A text.</p>'),
  'cpp.html': page('C++', '<p>A language.</p>'),
  'c.html': page('C', '<p>A language. C, C and C.</p>'),
};

describe('a query that is a name', () => {
  test('finds its page first, by words and with meaning', async () => {
    const { folder } = await makeSite(tool);
    const { url } = await serveSite(folder);
    const site = await openSiteSearch(url);
    const wanted: [string, string][] = [
      ...commands.flatMap((name): [string, string][] => [
        [name, `tool-${name}`],
        [`tool ${name}`, `tool-${name}`],
        [`tool-${name}`, `tool-${name}`],
        [`${name} `, `tool-${name}`],
      ]),
      ['show branch', 'tool-show-branch'],
      ['getUserById', 'api'],
      ['user by id', 'api'],
      ['PPR-9087', 'part'],
      ['PPR9087', 'part'],
      ['1.2.3', 'v1.2.3'],
      ['release 3.2.1', 'v3.2.1'],
      ['c++', 'cpp'],
      ['c', 'c'],
      ['v3.2.1', 'v3.2.1'],
      ['tool mer', 'tool-merge'],
      ['merg', 'tool-merge'],
      ['getUserB', 'api'],
      ['tool-sho', 'tool-show'],
      ['tool-cmmit', 'tool-commit'],
      ['tool-lgo', 'tool-log'],
      ['numbers 4.7', 'numbers'],
      ['4.7', 'numbers'],
    ];
    for (const mode of ['words', 'hybrid'] as const) {
      for (const [query, file] of wanted) {
        const { pages } = await site.search(query, { mode });
        expect(pages[0]?.url, `${query}, ${mode}`).toMatch(new RegExp(`/${escaped(file)}\\.html$`));
        const scores = pages.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }
    }
    await site.dispose();
  });

  test('shows the name that was meant', async () => {
    const { folder } = await makeSite(tool);
    const { url } = await serveSite(folder);
    const site = await openSiteSearch(url, { model: false });
    const correctedOf = async (query: string) =>
      (await site.search(query, { mode: 'words' })).corrected;
    expect(await correctedOf('tool-mrge')).toBe('tool-merge');
    expect(await correctedOf('tool-merge')).toBeUndefined();
    expect(await correctedOf('tool-mer')).toBeUndefined();
    await site.dispose();
  });

  test('names no page where many have it as a heading', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [
        `${i}.html`,
        page(`Page ${i}`, `<h2>Notes</h2><p>x${i}</p>`),
      ]),
    );
    const { folder } = await makeSite(pages);
    const { url } = await serveSite(folder);
    const site = await openSiteSearch(url, { model: false });
    const answer = await site.search('notes', { mode: 'words' });
    expect(answer.total).toBe(9);
    expect(answer.pages[0]?.score).toBeLessThanOrEqual(0.95);
    await site.dispose();
  });

  test('leaves the filters as they are', async () => {
    const { folder } = await makeSite({
      'a.html': page('Alpha', '<p>One.</p>'),
      'b.html': page('Beta', '<p>Alpha is before.</p><i data-ambry-filter="kind:b"></i>'),
    });
    const { url } = await serveSite(folder);
    const site = await openSiteSearch(url, { model: false });
    const found = await site.search('alpha', { mode: 'words', filters: { kind: ['b'] } });
    expect(found.pages.map(({ title }) => title)).toEqual(['Beta']);
    await site.dispose();
  });
});

const escaped = (text: string) => text.replace(/[.+]/g, '\\$&');

describe('a symbol of a reference', () => {
  const entry = (id: string, signature: string, text: string) =>
    `<dt class="sig" id="${id}"><code>${signature}</code><a href="#${id}">¶</a></dt><dd><p>${text}</p></dd>`;
  const pages: Pages = {
    'os.html': page(
      'os — Interfaces',
      `<p>Files and programs.</p><dl>${entry('os.popen', 'os.popen(cmd)', 'Opens a pipe.')}${entry('os.link', 'os.link(a, b)', 'Makes a link.')}</dl>`,
    ),
    'pipes.html': page('Pipes', '<h2>popen and pipes</h2><p>popen popen: a pipe of popen.</p>'),
    'man.html': page('Options', '<dl><dt id="log---all">--all</dt><dd>All of popen.</dd></dl>'),
    'turtle.html': page(
      'Turtle',
      `<dl>${entry('turtle.begin_poly', 'turtle.begin_poly()', 'Starts.')}</dl>`,
    ),
    'lists.html': page('Lists', '<h2>Lists</h2><p>begin_poly, begin_poly and poly.</p>'),
  };

  test('is a name of the page that describes it', async () => {
    const { folder } = await makeSite(pages);
    const { url } = await serveSite(folder);
    const site = await openSiteSearch(url);
    for (const [query, title] of [
      ['popen ', 'os — Interfaces'],
      ['os.popen', 'os — Interfaces'],
      ['turtle.begin_poly ', 'Turtle'],
      ['begin_poly ', 'Turtle'],
    ] as const) {
      for (const mode of ['words', 'hybrid'] as const) {
        const answer = await site.search(query, { mode });
        expect(answer.pages[0]?.title, `${query} by ${mode}`).toBe(title);
      }
    }
    await site.dispose();
  });

  test('is the id of a term that shows it, and of no other element', () => {
    const { sections } = readPage(
      '<main><dl><dt id="a.b">a.b(c)</dt><dd id="x.y">x.y</dd><dt id="GUC-MEM">GUC-MEM</dt><dt id="c.d">other</dt></dl></main>',
      'page.html',
    );
    expect(sections[0]?.blocks.flatMap(({ symbol }) => symbol ?? [])).toEqual(['a.b']);
  });
});

test('a title or a heading is a name without the number of its section, too', async () => {
  const { folder } = await makeSite({
    'views.html': page('3.2. Views', '<p>Ships.</p><h2>B.1 Rules of order</h2><p>Trains.</p>'),
    'more.html': page('More', '<p>Views, views, views. Rules of order, rules of order.</p>'),
    'four.html': page('4 wheels', '<p>Wagons.</p>'),
    'wheels.html': page('Wheels', '<p>Wagons have them.</p>'),
  });
  const { url } = await serveSite(folder);
  const site = await openSiteSearch(url);
  const firstOf = async (query: string) =>
    (await site.search(query, { mode: 'words' })).pages[0]?.title;
  for (const query of ['views ', 'view', '3.2 views', 'rules of order']) {
    expect(await firstOf(query), query).toBe('3.2. Views');
  }
  expect(await firstOf('wheels')).toBe('Wheels');
  await site.dispose();
});
