// An index that is replaced while somebody searches it, or that is broken: never a blank answer.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distill } from 'ambry';
import { describe, expect, test } from 'vitest';
import { openSiteSearch } from '../../src/index.ts';
import {
  animals,
  makeSite,
  modelPath,
  page,
  serveSite,
  temporaryFolder,
  writePages,
} from '../support/site.ts';

const words = { mode: 'words' } as const;

async function servedAnimals() {
  const site = await makeSite(animals);
  const server = await serveSite(site.folder);
  const search = await openSiteSearch(server.url, { model: false });
  return { site, server, search };
}

/** Another static encoder. */
async function smallerModel(): Promise<string> {
  const encoder = modelPath.replace('static-336', '192x1');
  const made = await distill({ path: encoder }, { dim: 8 });
  const path = join(temporaryFolder(), 'small.weights');
  writeFileSync(path, new Uint8Array(await made.arrayBuffer()));
  return path;
}

describe('after a deploy', () => {
  test('a search takes the new manifest once, and answers from it', async () => {
    const { site, server, search } = await servedAnimals();
    writePages(site.folder, { 'cats.html': page('New cats', '<p>Kittens play all night.</p>') });
    await site.rebuild();
    const answer = await search.search('kittens', words);
    expect(answer).toMatchObject({ state: 'found', pages: [{ title: 'New cats' }] });
    const manifests = server.requests.filter(({ path }) => path.endsWith('manifest.json'));
    expect(manifests).toHaveLength(2);
  });

  test('searches at the same time ask for one manifest', async () => {
    const { site, server, search } = await servedAnimals();
    writePages(site.folder, { 'cats.html': page('New cats', '<p>Kittens play all night.</p>') });
    await site.rebuild();
    const answers = await Promise.all(
      ['kittens', 'night', 'play'].map((query) => search.search(query, words)),
    );
    for (const { state } of answers) {
      expect(state).toBe('found');
    }
    const manifests = server.requests.filter(({ path }) => path.endsWith('manifest.json'));
    expect(manifests).toHaveLength(2);
  });

  test('the new model is fetched where the old one is gone', async () => {
    const { site, server } = await servedAnimals();
    const search = await openSiteSearch(server.url);
    await site.rebuild({ model: await smallerModel(), dim: 8 });
    await search.prepare();
    expect(search.meaning).toBe('ready');
    expect((await search.search('bad weather at sea')).by).toBe('hybrid');
    await search.dispose();
  });
});

describe('a broken index', () => {
  test.each([
    ['words', /\/words\//],
    ['texts', /\/texts\//],
    ['tables', /\/tables\//],
  ])('without its %s is a NotFound with the file', async (folder, pattern) => {
    const { server, search } = await servedAnimals();
    server.replaced.set(pattern, undefined);
    await expect(search.search('kittens', words)).rejects.toMatchObject({
      name: 'AmbryError',
      code: 'NotFound',
      path: expect.stringMatching(new RegExp(`^${folder}/`)),
    });
    server.replaced.clear();
    expect((await search.search('kittens', words)).state).toBe('found');
  });

  test.each([
    ['words', /\/words\//],
    ['texts', /\/texts\//],
    ['tables', /\/tables\//],
  ])('with a page in place of its %s is a Mismatch', async (_, pattern) => {
    const { server, search } = await servedAnimals();
    server.replaced.set(pattern, '<!doctype html><title>Not found</title>');
    await expect(search.search('kittens', words)).rejects.toMatchObject({ code: 'Mismatch' });
  });

  test('with words in place of a text is a Mismatch', async () => {
    const { site, server, search } = await servedAnimals();
    const [set = ''] = readdirSync(join(site.out, 'words'));
    const other = readFileSync(join(site.out, 'words', set, '0.bin'));
    server.replaced.set(/\/texts\/.*\/0\.bin/, new Uint8Array(other));
    await expect(search.search('kittens', words)).rejects.toMatchObject({ code: 'Mismatch' });
  });

  test('without vectors still answers by words', async () => {
    const { server } = await servedAnimals();
    const search = await openSiteSearch(server.url);
    await search.prepare();
    server.replaced.set(/\/vectors\//, undefined);
    await expect(search.search('kittens', { mode: 'hybrid' })).rejects.toMatchObject({
      code: 'NotFound',
    });
    expect((await search.search('kittens', words)).state).toBe('found');
    await search.dispose();
  });

  test('without its model answers by words, and says why', async () => {
    const { server } = await servedAnimals();
    server.replaced.set(/\/model\//, undefined);
    const search = await openSiteSearch(server.url);
    const answers = [];
    for await (const answer of search.answers('kittens')) {
      answers.push(answer);
    }
    expect(answers.map(({ by, state, meaning }) => [by, state, meaning])).toEqual([
      ['words', 'found', 'loading'],
      ['words', 'found', 'failed'],
    ]);
    expect(answers[1]?.meaningError).toMatchObject({ name: 'AmbryError', code: 'Http' });
    await expect(search.prepare()).rejects.toMatchObject({ code: 'Http' });
    server.replaced.clear();
    await search.prepare();
    expect(search.meaning).toBe('ready');
    await search.dispose();
  });

  test('that is larger than the limits is refused by their name', async () => {
    const { server, search } = await servedAnimals();
    server.replaced.set(/\/words\//, new Uint8Array(33 * 1024 * 1024));
    await expect(search.search('kittens', words)).rejects.toMatchObject({
      code: 'LimitExceeded',
      message: expect.stringContaining('fileBytes'),
    });
  });
});

describe('an index that cannot be opened', () => {
  test.each([
    ['is missing', undefined, 'Http'],
    ['is a page', '<!doctype html>', 'BadValue'],
    ['is of another version', '{"format":"ambry-site-search","version":9}', 'UnsupportedVersion'],
  ])('%s', async (_, content, code) => {
    const { server } = await servedAnimals();
    server.replaced.set(/manifest\.json/, content);
    await expect(openSiteSearch(server.url)).rejects.toMatchObject({
      code,
      path: expect.stringMatching(/^manifest/),
    });
  });

  test('has no server', async () => {
    const made = openSiteSearch('http://127.0.0.1:1/search/');
    await expect(made).rejects.toMatchObject({ code: 'Http', path: 'manifest.json' });
  });

  test('has no address', async () => {
    await expect(openSiteSearch('/search/')).rejects.toMatchObject({
      code: 'BadValue',
      path: 'source',
    });
  });

  test('takes too long', async () => {
    const fetch = (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise<Response>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const made = openSiteSearch({ fetch }, { timeout: 20 });
    await expect(made).rejects.toMatchObject({ code: 'Http', path: 'manifest.json' });
  });

  test('is aborted', async () => {
    const { server, search } = await servedAnimals();
    const signal = AbortSignal.abort();
    await expect(openSiteSearch(server.url, { signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    await expect(search.search('a', { signal })).rejects.toMatchObject({ name: 'AbortError' });
    await expect(search.prepare({ signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('files that are gone before any search are no trouble if they come back', async () => {
  const { site, search } = await servedAnimals();
  rmSync(site.out, { recursive: true });
  await expect(search.search('kittens', words)).rejects.toMatchObject({
    code: 'Http',
    path: 'manifest.json',
  });
  await site.rebuild();
  expect((await search.search('kittens', words)).state).toBe('found');
});
