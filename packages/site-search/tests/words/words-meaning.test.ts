// An index whose words have vectors: it answers by meaning without a model.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildSiteIndex } from '../../src/build/build-site-index.ts';
import type { SiteSearchOptions } from '../../src/client/base/types.ts';
import { openSiteSearch } from '../../src/index.ts';
import { animals, makeSite, type Pages, page } from '../support/site.ts';

async function opened(pages: Pages, options: SiteSearchOptions = {}) {
  const { out } = await makeSite(pages, { meaning: 'words' });
  const fetched: string[] = [];
  const fetch = async (path: string) => {
    fetched.push(path);
    return new Response(await readFile(join(out, path)));
  };
  const site = await openSiteSearch({ fetch }, { site: 'https://a.example/', ...options });
  onTestFinished(() => site.dispose());
  return { site, out, fetched };
}

const names = ({ pages }: { pages: readonly { readonly url: string }[] }) =>
  pages.map(({ url }) => url.slice('https://a.example/'.length));

describe('an index with vectors of words', () => {
  test('has no model, but its licence', async () => {
    const { out } = await opened(animals);
    expect(existsSync(join(out, 'model'))).toBe(false);
    const [licence] = readdirSync(join(out, 'related')).filter((file) => file.endsWith('.LICENSE'));
    expect(readFileSync(join(out, 'related', String(licence)), 'utf8')).toContain('CC BY-SA');
    const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'));
    expect(manifest.model).toBeUndefined();
  });

  test('is what is made without the option', async () => {
    const { folder, out } = await makeSite(animals);
    expect(existsSync(join(out, 'model'))).toBe(true);
    const model = new URL(
      '../../../../web/demo/public/models/english-static-336.weights',
      import.meta.url,
    );
    await buildSiteIndex(folder, out, { model: model.pathname, element: false });
    expect(existsSync(join(out, 'related'))).toBe(true);
    expect(readdirSync(out)).not.toContain('model');
  });

  test('answers by words and meaning at once', async () => {
    const { site } = await opened(animals);
    expect(site).toMatchObject({ meaning: 'ready', modelBytes: 0 });
    const answers = [];
    // No page has one of these words.
    for await (const answer of site.answers('yacht hurricane')) {
      answers.push(answer);
    }
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({ by: 'hybrid', meaning: 'ready', state: 'found' });
    expect(names(answers[0] as (typeof answers)[number])[0]).toBe('ships/sails.html');
    expect((await site.search('yacht hurricane', { mode: 'words' })).state).toBe('no-words');
  });

  test('needs nothing to be prepared, and by meaning alone finds the nearest page first', async () => {
    const { site } = await opened(animals);
    await site.prepare();
    const found = await site.search('yacht hurricane', { mode: 'meaning' });
    expect(found.by).toBe('meaning');
    expect(names(found)[0]).toBe('ships/sails.html');
    expect(found.pages[0]?.cosine).toBeGreaterThan(0.1);
  });

  test('reads the beginning of a word that nobody listed, and gives nonsense no meaning', async () => {
    const { site } = await opened(animals);
    const known = await site.search('hurricane', { mode: 'meaning' });
    const longer = await site.search('hurricanelike', { mode: 'meaning' });
    expect(names(longer)).toEqual(names(known));
    expect(longer.pages[0]?.cosine).toBe(known.pages[0]?.cosine);
    for (const query of ['qwertyuiop zxcvb', 'ファイル', 'the qwertyuiop zxcvb', '🚀🚀']) {
      const { state, pages } = await site.search(query, { mode: 'meaning' });
      expect([query, pages.length, state === 'found']).toEqual([query, 0, false]);
    }
  });

  test('has the words of the site in its own language', async () => {
    const { site } = await opened({
      'a.html': page('Fähre', '<p>Die Fähre legt ab.</p>', 'de'),
      'b.html': page('Bahn', '<p>Die Bahn kommt.</p>', 'de'),
    });
    const { pages, by } = await site.search('FÄHRE', { mode: 'hybrid' });
    expect(by).toBe('hybrid');
    expect(pages[0]?.url).toMatch(/a\.html$/);
    expect(pages[0]?.cosine).toBeDefined();
  });

  test('searches by words only where the caller says so', async () => {
    const { site } = await opened(animals, { model: false });
    expect(site.meaning).toBe('off');
    expect((await site.search('yacht hurricane')).state).toBe('no-words');
    await expect(site.search('cats', { mode: 'hybrid' })).rejects.toMatchObject({
      code: 'Unsupported',
    });
  });
});

describe('the option `meaning`', () => {
  test.each([
    ['options.meaning', { meaning: 'both' }],
    ['options.modelUrl', { modelUrl: '../small.weights' }],
  ])('is checked: %s', async (path, options) => {
    const made = makeSite(animals, { meaning: 'words', ...(options as object) });
    await expect(made).rejects.toMatchObject({ code: 'BadValue', path });
  });
});
