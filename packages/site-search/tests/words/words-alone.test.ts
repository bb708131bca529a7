// An index without meaning: no model reads the site, and readers search it by words.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildSiteIndex } from '../../src/build/build-site-index.ts';
import { estimatedTokens } from '../../src/build/token-estimate.ts';
import { openSiteSearch } from '../../src/index.ts';
import {
  animals,
  makeSite,
  page,
  serveSite,
  temporaryFolder,
  writePages,
} from '../support/site.ts';

async function plainAnimals() {
  const folder = temporaryFolder();
  writePages(folder, animals);
  const out = join(folder, 'search');
  const result = await buildSiteIndex(folder, out, { meaning: 'none', element: false });
  const server = await serveSite(folder);
  return { out, result, server };
}

describe('an index for words alone', () => {
  test('has no vectors, and needs no model to be made', async () => {
    const { out, result } = await plainAnimals();
    expect(readdirSync(out).sort()).toEqual(['manifest.json', 'tables', 'texts', 'words']);
    const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'));
    expect(Object.keys(manifest.sets)).toEqual(['words', 'texts']);
    expect(manifest).not.toHaveProperty('vectors');
    expect(result.pages).toBe(3);
    expect(result).not.toHaveProperty('recall');
  });

  test('gives the pages that an index with meaning finds by words', async () => {
    const { server } = await plainAnimals();
    const other = await makeSite(animals);
    const full = await serveSite(other.folder);
    const options = { site: 'http://site.example/' } as const;
    const plain = await openSiteSearch(server.url, options);
    const withModel = await openSiteSearch(full.url, { ...options, model: false });
    expect(plain).toMatchObject({ meaning: 'off', modelBytes: 0 });
    for (const query of ['kittens', 'sail wind ', 'kitens', 'gale', 'qwertyuiop']) {
      const answer = await plain.search(query);
      expect(answer).toEqual(await withModel.search(query));
      expect(answer).toMatchObject({ by: 'words', meaning: 'off' });
    }
  });

  test('answers once, and can be prepared', async () => {
    const { server } = await plainAnimals();
    const site = await openSiteSearch(server.url);
    await site.prepare();
    const before = server.requests.length;
    const answers = [];
    for await (const answer of site.answers('kittens')) {
      answers.push(answer.by);
    }
    expect(answers).toEqual(['words']);
    const asked = server.requests.slice(before).map(({ path }) => path);
    expect(asked.filter((path) => path.includes('tables'))).toEqual([]);
  });

  test.each(['hybrid', 'meaning'] as const)('refuses the mode %s', async (mode) => {
    const { server } = await plainAnimals();
    const site = await openSiteSearch(server.url);
    await expect(site.search('kittens', { mode })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.mode',
    });
  });

  test.each([
    ['model', 'small.weights'],
    ['modelUrl', '../small.weights'],
    ['dim', 96],
    ['bits', 1],
    ['queryBytes', 1000],
  ])('takes no %s', async (name, value) => {
    const folder = temporaryFolder();
    writePages(folder, animals);
    const made = buildSiteIndex(folder, join(folder, 'search'), { meaning: 'none', [name]: value });
    await expect(made).rejects.toMatchObject({ code: 'BadValue', path: `options.${name}` });
  });

  test('is divided into parts as a model would', async () => {
    const paragraphs = Array.from(
      { length: 200 },
      (_, i) => `<p>Paragraph ${i} is about item ${i * 7} and says a few more words on it.</p>`,
    );
    const pages = { 'a.html': page('A', paragraphs.join('')) };
    const { result } = await makeSite(pages);
    const folder = temporaryFolder();
    writePages(folder, pages);
    const plain = await buildSiteIndex(folder, join(folder, 'search'), { meaning: 'none' });
    expect(plain.passages).toBeGreaterThan(result.passages / 2);
    expect(plain.passages).toBeLessThan(result.passages * 2);
  });

  test('stops when it is aborted', async () => {
    const folder = temporaryFolder();
    writePages(folder, animals);
    const stop = new AbortController();
    const made = buildSiteIndex(folder, join(folder, 'search'), {
      meaning: 'none',
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await expect(made).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test.each([
  ['', 0],
  ['a cat', 2],
  ['internationalization', 4],
  ['f(x) = 1', 6],
  ['日本語', 3],
  ['Größe', 1],
])('%s has about %d tokens', (text, tokens) => expect(estimatedTokens(text)).toBe(tokens));
