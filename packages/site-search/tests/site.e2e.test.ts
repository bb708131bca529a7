// A small site from its pages to answers: built by the command line, served by a plain HTTP server, searched from there.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ambryCli } from '../../../tests/web/support/cli/cli.ts';
import { openSiteSearch } from '../src/index.ts';
import {
  modelPath,
  type Pages,
  page,
  serveSite,
  temporaryFolder,
  writePages,
} from './support/site.ts';

const siteIndex = (...args: string[]) => ambryCli(['site-index', ...args]);

const latin = (html: string) => Uint8Array.from(html, (sign) => sign.charCodeAt(0));
const utf16 = (html: string) =>
  new Uint8Array(Uint16Array.from(`\ufeff${html}`, (sign) => sign.charCodeAt(0)).buffer);
const paragraphs = Array.from(
  { length: 3000 },
  (_, i) =>
    `<h2 id="entry-${i}">Entry ${i}</h2><p>The register has the item register${i} in its place.</p>`,
);

const site: Pages = {
  'index.html': page('Welcome', '<h1>Welcome</h1><p>This is the manual of the lighthouse.</p>'),
  'guide/lamps.html': page(
    'Lamps',
    '<h1>Lamps</h1><h2 id="clean">Cleaning</h2><p>Wipe the lens with vinegar once a week.</p>',
  ),
  'guide/fog.html': page(
    'Fog',
    '<h1>Fog</h1><p>Sound the horn when ships cannot see the light.</p>',
  ),
  'latin.html': latin(
    '<meta charset="iso-8859-1"><title>Caf\xe9</title><body><p>Le caf\xe9 du port ouvre t\xf4t.',
  ),
  'wide.html': utf16('<title>Wide</title><body><p>This page about barnacles is in UTF-16.</body>'),
  'broken.html': '<title>Broken<p></title><main><div><b>Driftwood is here<p class="x>',
  'no-main.html':
    '<title>Bare</title><nav>Menu</nav><p>Seagulls nest on the rocks.</p><footer>End</footer>',
  'huge.html': page('Register', paragraphs.join('')),
  'copy.html': page(
    'Lamps',
    '<h1>Lamps</h1><h2 id="clean">Cleaning</h2><p>Wipe the lens with vinegar once a week.</p>',
  ),
  'draft.html': '<meta name="robots" content="noindex"><p>Secret cormorants.</p>',
  'picture.txt': 'no page',
};

describe('a site', () => {
  test('is built, served and searched', async () => {
    const folder = temporaryFolder();
    writePages(folder, site);
    const out = join(folder, 'search');
    const built = await siteIndex(folder, '--out', out, '--model', modelPath, '--json');
    expect(built).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(built.out)).toMatchObject({
      index: out,
      pages: 8,
      duplicates: 1,
      hidden: 1,
      skipped: 0,
    });

    const server = await serveSite(folder);
    const search = await openSiteSearch(server.url);
    expect(search.pages).toBe(8);
    const first = async (query: string, mode: 'words' | 'hybrid' = 'words') =>
      (await search.search(query, { mode })).pages[0];
    expect(await first('vinegar')).toMatchObject({
      title: 'Lamps',
      sections: [{ heading: 'Cleaning' }],
    });
    expect(await first('café')).toMatchObject({ title: 'Café' });
    expect(await first('barnacle')).toMatchObject({ title: 'Wide' });
    expect((await first('driftwood'))?.url).toMatch(/\/broken\.html$/);
    expect((await first('seagulls'))?.url).toMatch(/\/no-main\.html$/);
    expect(await first('menu ')).toBeUndefined();
    expect(await first('cormorants ')).toBeUndefined();

    // One entry of the huge page, by its anchor and without the rest of it.
    server.requests.length = 0;
    const entry = await first('register2345 ');
    expect(entry?.sections[0]?.url).toMatch(/\/huge\.html#entry-2345$/);
    const bytes = server.requests.reduce((sum, request) => sum + request.bytes, 0);
    expect(bytes).toBeLessThan(20_000);

    // Vectors of words give a query its meaning.
    expect(server.requests.some(({ path }) => path.includes('/model/'))).toBe(false);
    expect(await first('how do I polish the glass', 'hybrid')).toMatchObject({ title: 'Lamps' });
    expect((await search.search('quarterly revenue tax', { mode: 'hybrid' })).state).toBe(
      'nothing-close',
    );
    await search.dispose();
  });

  test('is searched on while it is deployed again', async () => {
    const folder = temporaryFolder();
    writePages(folder, { 'a.html': page('A', 'Puffins dive for fish.') });
    const out = join(folder, 'search');
    const build = () => siteIndex(folder, '--out', out, '--model', modelPath);
    expect(await build()).toMatchObject({ code: 0 });
    const server = await serveSite(folder);
    const search = await openSiteSearch(server.url, { model: false });
    writePages(folder, { 'b.html': page('B', 'Puffins live in burrows.') });
    expect(await build()).toMatchObject({ code: 0 });
    expect((await search.search('puffins')).total).toBe(2);
    server.replaced.set(/\/texts\//, undefined);
    const other = await openSiteSearch(server.url, { model: false });
    await expect(other.search('puffins')).rejects.toMatchObject({
      code: 'NotFound',
      name: 'AmbryError',
    });
  });
});
