// Manifests and files of a site's index changed by chance: each is searched, or refused with an error that names the place.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AmbryError } from 'ambry/static-encoder';
import { expect, test } from 'vitest';
import { folderForAllTests } from '../../../../tests/web/support/for-all-tests.ts';
import { Mutants } from '../../../../tests/web/support/mutants.ts';
import { fuzzSize } from '../../../../tests/web/tokenizer/support/fuzz-size.ts';
import { buildSiteIndex } from '../../src/build/build-site-index.ts';
import { openSiteSearch } from '../../src/index.ts';
import { parseManifest } from '../../src/shared/manifest.ts';
import { animals, modelPath, writePages } from '../support/site.ts';

const folder = folderForAllTests('ambry-site-fuzz');
const out = join(folder, 'search');
writePages(folder, animals);
await buildSiteIndex(folder, out, { model: modelPath, element: false });
const entries = await readdir(out, { recursive: true, withFileTypes: true });
const files = new Map<string, Uint8Array<ArrayBuffer>>();
for (const entry of entries.filter((each) => each.isFile())) {
  const path = join(entry.parentPath, entry.name);
  files.set(path.slice(out.length + 1), new Uint8Array(await readFile(path)));
}
const manifest: unknown = JSON.parse(new TextDecoder().decode(files.get('manifest.json')));

/** Searches an index in memory. Throws what nobody may see. */
async function search(changed: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): Promise<boolean> {
  const answer = (path: string) => {
    const bytes = changed.get(path);
    return bytes ? new Response(bytes) : new Response('', { status: 404 });
  };
  try {
    const source = { fetch: (path: string) => Promise.resolve(answer(path)) };
    const site = await openSiteSearch(source, { site: 'https://site.example/', model: false });
    await site.search('kitten meals', { mode: 'words' });
    return true;
  } catch (error) {
    if (error instanceof AmbryError && error.message !== '' && error.code !== 'Crashed') {
      return false;
    }
    throw error;
  }
}

test('the index itself is searched', async () => expect(await search(files)).toBe(true));

test('manifests', () => {
  const mutants = new Mutants(1);
  let refused = 0;
  for (let i = 0; i < fuzzSize(20_000); i++) {
    const json = JSON.stringify(mutants.json(manifest));
    try {
      parseManifest(i % 4 === 0 ? mutants.text(json) : json);
    } catch (error) {
      expect(error, json).toBeInstanceOf(AmbryError);
      expect((error as AmbryError).path, json).toMatch(/^manifest/);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(0);
});

test('searches of them', async () => {
  const mutants = new Mutants(2);
  for (let i = 0; i < fuzzSize(1000); i++) {
    const json = JSON.stringify(mutants.json(manifest));
    const changed = new Map(files).set('manifest.json', new TextEncoder().encode(json));
    await search(changed).catch((error) => {
      throw new Error(`manifest ${i}: ${json}`, { cause: error });
    });
  }
}, 300_000);

test('searches of other files', async () => {
  const mutants = new Mutants(3);
  const names = [...files.keys()].filter((name) => /^(words|texts|tables)/.test(name));
  for (let i = 0; i < fuzzSize(1000); i++) {
    const name = mutants.pick(names);
    const changed = new Map(files).set(name, mutants.bytes(files.get(name) as Uint8Array));
    await search(changed).catch((error) => {
      throw new Error(`change ${i} of ${name}`, { cause: error });
    });
  }
}, 300_000);
