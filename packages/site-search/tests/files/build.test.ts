// The builder: the same bytes each time, only what changed, and clear refusals.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildSiteIndex } from '../../src/build/build-site-index.ts';
import { openSiteSearch } from '../../src/index.ts';
import { contents, manifestOf } from '../support/index-files.ts';
import {
  animals,
  makeSite,
  modelPath,
  page,
  temporaryFolder,
  writePages,
} from '../support/site.ts';

describe('an index', () => {
  test('of equal pages has equal bytes', async () => {
    const [one, two] = [await makeSite(animals), await makeSite(animals)];
    expect(contents(one.out)).toEqual(contents(two.out));
    expect(one.result).toMatchObject({ pages: 3, passages: 6, duplicates: 0, cached: 0 });
    expect(one.result.files).toBe(Object.keys(contents(one.out)).length);
  });

  test('has the model and what the site is from its folder', async () => {
    const { out } = await makeSite({ 'a.html': page('A', 'one') });
    const { model, site, vectors } = await manifestOf(out);
    expect(readdirSync(join(out, 'model'))).toContain(`${model?.name}.weights`);
    expect(readdirSync(join(out, 'model'))).toContain(`${model?.name}.LICENSE`);
    expect(site).toBe('../');
    expect(vectors).toMatchObject({ dim: 192, bits: 4 });
  });

  test('takes the dim and the bits that are stated', async () => {
    const { out } = await makeSite({ 'a.html': page('A', 'one') }, { dim: 336, bits: 8 });
    expect((await manifestOf(out)).vectors).toMatchObject({ dim: 336, bits: 8 });
  });

  test('has no more files than maxFiles, and the same answers', async () => {
    const things = ['lamp', 'boat', 'rope', 'shell', 'gull'];
    const pages = Object.fromEntries(
      Array.from({ length: 270 }, (_, i) => {
        const thing = things[i % things.length];
        return [`${i}.html`, page(`Page ${i}`, `<p>The ${thing} of keeper ${i} is at sea.</p>`)];
      }),
    );
    const whole = await makeSite(pages);
    const most = whole.result.files - 5;
    const few = await makeSite(pages, { maxFiles: most });
    expect(few.result.files).toBeLessThanOrEqual(most);
    expect(few.result.files).toBe(Object.keys(contents(few.out)).length);
    const packBytes = async (out: string) => (await manifestOf(out)).sets.texts.packBytes;
    expect(await packBytes(few.out)).toBeGreaterThan(await packBytes(whole.out));
    const [all, some] = await Promise.all(
      [whole, few].map(({ out }) =>
        openSiteSearch(
          { fetch: async (path) => new Response(await readFile(join(out, path))) },
          { site: 'https://example.org/' },
        ),
      ),
    );
    for (const query of ['gull', 'keeper 269', 'gulls by the sea', 'keeper 255']) {
      const answer = await some?.search(query, { k: 20, mode: 'hybrid' });
      expect(answer?.pages.length).toBeGreaterThan(0);
      expect(answer).toEqual(await all?.search(query, { k: 20, mode: 'hybrid' }));
    }
    await Promise.all([all?.dispose(), some?.dispose()]);
  });

  test.each([
    ['without ranges', { ranges: false }, {}],
    ['with ranges', {}, { ranges: false }],
    ['with few files', { maxFiles: 190 }, {}],
  ])('that was made %s before is right with other options', async (_, before, after) => {
    const pages = Object.fromEntries(
      Array.from({ length: 90 }, (_, i) => {
        const text = Array.from({ length: 40 }, (_, at) => `word${(i * 40 + at) * 7919}`).join(' ');
        return [`${i}.html`, page(`Page ${i}`, `<p>${text}</p>`)];
      }),
    );
    const { out, rebuild } = await makeSite(pages, { ...before, meaning: 'words' });
    const fresh = await makeSite(pages, { ...after, meaning: 'words' });
    await rebuild({ ranges: true, maxFiles: 1e6, ...after });
    expect(contents(out)).toEqual(contents(fresh.out));
  });

  test('that needs more files than maxFiles is refused, and the one before stays', async () => {
    const { out, rebuild, result } = await makeSite(animals);
    const before = await manifestOf(out);
    await expect(rebuild({ maxFiles: 2 })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.maxFiles',
    });
    expect(await manifestOf(out)).toEqual(before);
    expect((await rebuild({ maxFiles: result.files })).files).toBe(result.files);
  });

  test('has only the pages that are included, and short titles', async () => {
    const { out, result } = await makeSite(
      { 'a.html': page('A | Site', 'one'), '404.html': page('Lost | Site', 'not found') },
      { include: (path) => path !== '404.html', titleSuffix: ' | Site' },
    );
    expect(result.pages).toBe(1);
    const site = await openSiteSearch(
      { fetch: async (path) => new Response(await readFile(join(out, path))) },
      { model: false, site: 'https://example.org/' },
    );
    const { pages } = await site.search('one');
    expect(pages.map(({ title }) => title)).toEqual(['A']);
    await site.dispose();
  });

  test('of other pages replaces the one before, and leaves files of others', async () => {
    const { folder, out, rebuild } = await makeSite(animals);
    const before = await manifestOf(out);
    writeFileSync(join(out, 'words/notes.txt'), 'mine');
    writePages(folder, { 'dogs.html': page('Dogs', 'Dogs bark at strangers.') });
    await rebuild();
    const after = await manifestOf(out);
    expect(after.pages).toBe(4);
    expect(after.sets.texts.name).not.toBe(before.sets.texts.name);
    const files = Object.keys(contents(out));
    expect(files).toContain('/words/notes.txt');
    for (const { name } of Object.values(before.sets)) {
      expect(files.join()).not.toContain(name);
    }
  });

  test('has the script of the element, and takes it away again with what it fetches', async () => {
    const { out, rebuild, result } = await makeSite(animals, { element: true });
    const isElement = (path: string) => /^\/(ambry-search\.js$|element\/)/.test(path);
    const files = Object.keys(contents(out)).filter(isElement);
    expect(files).toContain('/ambry-search.js');
    expect(files.filter((path) => path.endsWith('.wasm')).length).toBeGreaterThan(0);
    expect(files.every((path) => /^\/ambry-search\.js$|-[\w-]{8}\.(js|css|wasm)$/.test(path))).toBe(
      true,
    );
    expect(result.files).toBe(Object.keys(contents(out)).length);
    // One of a version before.
    writeFileSync(join(out, 'element/client-AAAAAAAA.js'), '');
    writeFileSync(join(out, 'element/notes.js'), '');
    await rebuild();
    const again = Object.keys(contents(out)).filter(isElement);
    expect(again).toEqual([...files, '/element/notes.js'].sort());
    await rebuild({ element: false });
    expect(Object.keys(contents(out)).filter(isElement)).toEqual(['/element/notes.js']);
  });

  test('leaves a script of the same name that is of somebody else', async () => {
    const { out, rebuild } = await makeSite(animals);
    writeFileSync(join(out, 'ambry-search.js'), 'export const mine = true;');
    await rebuild();
    expect(readFileSync(join(out, 'ambry-search.js'), 'utf8')).toContain('mine');
  });

  test('does not have its own files as pages', async () => {
    const { out, rebuild } = await makeSite(animals);
    writeFileSync(join(out, 'page.html'), page('Not a page', 'Not a page of the site.'));
    expect((await rebuild()).pages).toBe(3);
  });
});

describe('the cache', () => {
  test('keeps what did not change, and gives the same index', async () => {
    const cache = join(temporaryFolder(), 'deep/vectors');
    const site = await makeSite(animals, { cache });
    const before = contents(site.out);
    expect(await site.rebuild()).toMatchObject({ cached: 3 });
    expect(contents(site.out)).toEqual(before);
    writePages(site.folder, { 'index.html': page('Animals', '<p>Quite another text.</p>') });
    expect(await site.rebuild()).toMatchObject({ pages: 3, cached: 2 });
    expect(await site.rebuild({ dim: 64 })).toMatchObject({ cached: 0 });
  });

  test('that is damaged counts as none', async () => {
    const cache = join(temporaryFolder(), 'vectors');
    const site = await makeSite(animals, { cache });
    const bytes = readFileSync(cache);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(cache, bytes);
    expect(await site.rebuild()).toMatchObject({ cached: 0 });
    // What an earlier release saved has the hash of its body alone.
    const body = readFileSync(cache).subarray(32);
    const digest = createHash('sha256').update(body).digest();
    writeFileSync(cache, Buffer.concat([digest, body]));
    expect(await site.rebuild()).toMatchObject({ cached: 0 });
    writeFileSync(cache, 'short');
    expect(await site.rebuild()).toMatchObject({ cached: 0 });
    expect(await site.rebuild()).toMatchObject({ cached: 3 });
  });
});

describe('a build is refused', () => {
  const build = async (change: (folder: string) => [string, string, object?]) => {
    const folder = temporaryFolder();
    writePages(folder, { 'a.html': page('A', 'one') });
    const [from, out, options] = change(folder);
    return buildSiteIndex(from, out, { model: modelPath, ...options });
  };

  test.each([
    ['without the folder', 'NotFound', /./, (f: string) => [join(f, 'x'), join(f, 'y')]],
    ['into the site itself', 'BadValue', /^out$/, (f: string) => [f, f]],
    ['above the site', 'BadValue', /^out$/, (f: string) => [join(f, 'a'), f]],
    [
      'with a cache in the site',
      'BadValue',
      /^options\.cache$/,
      (f: string) => [f, join(f, 's'), { cache: join(f, 'c') }],
    ],
    [
      'without the model',
      'NotFound',
      /^options\.model$/,
      (f: string) => [f, join(f, 's'), { model: join(f, 'm') }],
    ],
    [
      'with a page as model',
      'BadMagic',
      /./,
      (f: string) => [f, join(f, 's'), { model: join(f, 'a.html') }],
    ],
    [
      'with a dim above the model’s',
      'BadValue',
      /^options\.dim$/,
      (f: string) => [f, join(f, 's'), { dim: 337 }],
    ],
    [
      'with other bits',
      'BadValue',
      /^options\.bits$/,
      (f: string) => [f, join(f, 's'), { bits: 3 }],
    ],
    [
      'with an option that it does not have',
      'BadValue',
      /^options\.cleanUrl$/,
      (f: string) => [f, join(f, 's'), { cleanUrl: true }],
    ],
  ] as const)('%s', async (_, code, path, change) => {
    const made = build(change as (folder: string) => [string, string]);
    await expect(made).rejects.toMatchObject({ code, path: expect.stringMatching(path) });
  });

  test('without pages, or without text on them', async () => {
    await expect(
      build((f) => [join(f, '..', f.split('/').at(-1) ?? '', '.'), join(f, 's')]),
    ).resolves.toBeDefined();
    const empty = temporaryFolder();
    const out = join(empty, 's');
    await expect(buildSiteIndex(empty, out)).rejects.toMatchObject({
      code: 'NotFound',
      path: 'folder',
    });
    writePages(empty, { 'a.html': '<main></main>' });
    const made = buildSiteIndex(empty, out, { model: modelPath });
    await expect(made).rejects.toMatchObject({ code: 'NotFound', path: 'folder' });
  });

  test('with a model of another kind', async () => {
    const other = modelPath.replace('english-static-336', 'english-192x1');
    await expect(build((f) => [f, join(f, 's'), { model: other }])).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.model',
    });
  });
});

describe('a build', () => {
  test('reports its progress, which never goes back within a phase', async () => {
    const reports = new Map<string, number[]>();
    await makeSite(animals, {
      onProgress: ({ phase, loaded }) =>
        reports.set(phase, [...(reports.get(phase) ?? []), loaded]),
    });
    expect([...reports.keys()]).toEqual(['load', 'embed', 'train', 'convert']);
    for (const counts of reports.values()) {
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    }
    expect(reports.get('embed')?.at(-1)).toBe(3);
  });

  test('that is aborted leaves the index that was there', async () => {
    const { out, rebuild, folder } = await makeSite(animals);
    const before = contents(out);
    writePages(folder, { 'dogs.html': page('Dogs', 'Dogs bark.') });
    const stop = new AbortController();
    const onProgress = ({ phase }: { phase: string }) => phase === 'convert' && stop.abort();
    await expect(rebuild({ signal: stop.signal, onProgress })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(contents(out)).toMatchObject(before);
  });

  test('into a folder that is a file is refused', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'site'));
    writePages(join(folder, 'site'), { 'a.html': page('A', 'one') });
    writeFileSync(join(folder, 'out'), '');
    const made = buildSiteIndex(join(folder, 'site'), join(folder, 'out'), { model: modelPath });
    await expect(made).rejects.toMatchObject({ code: 'NotFound', path: 'out' });
  });
});
