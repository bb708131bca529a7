// Searches of a small site by meaning, alone and beside the words.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'ambry/encoder';
import { describe, expect, test } from 'vitest';
import { openSiteSearch } from '../src/index.ts';
import { opened, titles } from './support/open-pages.ts';
import { animals, makeSite, modelPath, serveSite } from './support/site.ts';

describe('by meaning', () => {
  test('finds pages without a word of the query, and says when nothing is close', async () => {
    const site = await opened(animals);
    const answer = await site.search('bad weather at sea', { mode: 'meaning' });
    expect(answer).toMatchObject({ state: 'found', by: 'meaning', meaning: 'ready' });
    expect(answer.pages[0]).toMatchObject({ title: 'Sails', cosine: expect.any(Number) });
    const far = await site.search('quarterly revenue tax', { mode: 'hybrid' });
    expect(far).toMatchObject({ state: 'nothing-close', pages: [], total: 0 });
    await site.dispose();
  });

  test('answers by words first, and by both when the model is there', async () => {
    const site = await opened(animals);
    expect(site.meaning).toBe('waiting');
    const answers = [];
    for await (const answer of site.answers('feeding kittens')) {
      answers.push(answer);
    }
    expect(answers.map(({ by, state }) => [by, state])).toEqual([
      ['words', 'found'],
      ['hybrid', 'found'],
    ]);
    expect(answers[0]?.meaning).toBe('loading');
    expect(answers[1]?.pages[0]?.title).toBe('Cats');
    expect(answers[1]?.pages[0]?.sections[0]?.heading).toBe('Feeding');
    expect(await site.search('feeding kittens')).toMatchObject({ by: 'hybrid', meaning: 'ready' });
    const by = [];
    for (const query of ['kittens', 'veterinarians', '?']) {
      for await (const answer of site.answers(query)) {
        by.push(answer.by);
      }
    }
    // Nothing to show by words is not shown before what meaning finds.
    expect(by).toEqual(['words', 'hybrid', 'hybrid', 'words']);
    await site.dispose();
  });

  test('keeps to filters', async () => {
    const site = await opened(animals);
    const filters = { kind: 'pet' };
    const answer = await site.search('sailors in a gale', { mode: 'hybrid', filters });
    expect(titles(answer)).not.toContain('Sails');
    await site.dispose();
  });

  test('takes an encoder of the caller, and leaves it open', async () => {
    const model = await open(new Uint8Array(await readFile(modelPath)), { architecture: 'static' });
    const site = await opened(animals, { model });
    expect(site.meaning).toBe('ready');
    expect((await site.search('bad weather at sea')).by).toBe('hybrid');
    await site.dispose();
    expect((await model.embed('a')).length).toBe(336);
    await model.dispose();
  });

  test('takes the model from where the site has it, and no other file there', async () => {
    const { folder, out } = await makeSite(animals, { modelUrl: '../small.weights' });
    expect(existsSync(join(out, 'model'))).toBe(false);
    const server = await serveSite(folder);
    server.replaced.set(/small\.weights$/, await readFile(modelPath));
    const site = await openSiteSearch(server.url);
    const answer = await site.search('sailors in a gale', { mode: 'meaning' });
    expect(titles(answer)[0]).toBe('Sails');
    await site.dispose();

    const other = (await readFile(modelPath)).fill(1, 4_000_000, 4_000_100);
    server.replaced.clear();
    server.replaced.set(/small\.weights$/, other);
    const changed = await openSiteSearch(server.url);
    await expect(changed.search('gale', { mode: 'hybrid' })).rejects.toMatchObject({
      code: 'Mismatch',
    });
    expect(await changed.search('gale ')).toMatchObject({ by: 'words', meaning: 'failed' });
    await changed.dispose();
  });

  test('is refused where the search has no model', async () => {
    const site = await opened(animals, { model: false });
    await expect(site.search('cat', { mode: 'hybrid' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.mode',
    });
  });
});
