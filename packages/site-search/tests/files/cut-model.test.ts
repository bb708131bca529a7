// The model of an index has only the numbers that the index has of each vector: the answers are those of the whole model, and
// readers download less.
import { readFileSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Encoder, open } from 'ambry/encoder';
import { describe, expect, test } from 'vitest';
import { nameOf } from '../../src/build/writing/index-writer.ts';
import { openSiteSearch } from '../../src/index.ts';
import { type Manifest, parseManifest } from '../../src/shared/manifest.ts';
import { animals, makeSite, modelPath, page, temporaryFolder } from '../support/site.ts';

const indexOf = async (out: string) => {
  const manifest = parseManifest(await readFile(join(out, 'manifest.json'), 'utf8'));
  return { manifest, path: join(out, `model/${manifest.model?.name}.weights`) };
};

const openFile = async (path: string): Promise<Encoder> =>
  open(new Uint8Array(await readFile(path)), { architecture: 'static' });

const queries = ['bad weather at sea', 'feeding kittens', 'a cat that sleeps', 'canvas', 'xyzzy'];

/** Everything that a search says, without what differs between two places. */
async function answers(out: string, model?: Encoder): Promise<unknown[]> {
  const fetch = async (path: string) => new Response(await readFile(join(out, path)));
  const how = { site: 'https://example.org/', ...(model && { model }) };
  await using site = await openSiteSearch({ fetch }, how);
  const all = [];
  for (const query of queries) {
    for (const mode of ['meaning', 'hybrid'] as const) {
      all.push(await site.search(query, { mode }));
    }
  }
  return all;
}

describe('the model of an index', () => {
  test('gives the vectors and the answers of the whole one', async () => {
    const { out } = await makeSite(animals);
    const { manifest, path } = await indexOf(out);
    await using whole = await openFile(modelPath);
    await using cut = await openFile(path);
    expect([whole.dim, cut.dim, manifest.vectors?.dim]).toEqual([336, 192, 192]);
    for (const normalize of [true, false]) {
      expect(await cut.embed(queries, { normalize })).toEqual(
        await whole.embed(queries, { dim: 192, normalize }),
      );
    }
    const found = await answers(out);
    expect(found).toHaveLength(2 * queries.length);
    expect(found).toEqual(await answers(out, whole));
    expect(JSON.stringify(found)).toContain('"by":"meaning"');
  });

  test('is named by what it holds, and has the licence beside it', async () => {
    const { out } = await makeSite(animals);
    const { manifest, path } = await indexOf(out);
    const bytes = readFileSync(path);
    expect(manifest.model).toEqual({
      name: nameOf(bytes),
      bytes: bytes.length,
    } satisfies Manifest['model']);
    const licence = readFileSync(path.replace(/weights$/, 'LICENSE'), 'utf8');
    expect(licence).toBe(readFileSync(modelPath.replace(/weights$/, 'LICENSE'), 'utf8'));
  });

  test('has 144 of the 336 bytes of each of 12,288 tokens less', async () => {
    const { out } = await makeSite({ 'a.html': page('A', 'one') });
    const whole = statSync(modelPath).size;
    const { size } = statSync((await indexOf(out)).path);
    expect(whole - size).toBe(12_288 * 144);
    // What the pages of documentation say.
    expect((size / 1e6).toFixed(1)).toBe('2.5');
  });

  test('is the file itself where all numbers are kept', async () => {
    const { out } = await makeSite({ 'a.html': page('A', 'one') }, { dim: 336 });
    expect(readFileSync((await indexOf(out)).path)).toEqual(readFileSync(modelPath));
  });

  test('is refused with its place where another file has its name', async () => {
    const { out } = await makeSite(animals);
    const { path } = await indexOf(out);
    await writeFile(path, await readFile(modelPath));
    await expect(answers(out)).rejects.toMatchObject({ code: 'Mismatch' });
  });

  test('that is damaged stops the build', async () => {
    const model = join(temporaryFolder(), 'damaged.weights');
    const bytes = await readFile(modelPath);
    await writeFile(model, bytes.fill(1, 4_000_000, 4_000_100));
    await expect(makeSite(animals, { model })).rejects.toMatchObject({ code: 'Mismatch' });
  });
});
