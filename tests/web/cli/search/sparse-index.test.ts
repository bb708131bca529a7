// `ambry index` and `ambry search` with sparse encoders, alone and beside another model.
import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { writeDirectory } from '../../support/cli/reader-files.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { spladeDirectory } from '../../support/directories/sparse-directories.ts';
import { maskDirectory } from '../../support/directories/token-head-directories.ts';
import { ambry } from '../../support/package.ts';

const { at, model: encoder } = await cliFolder();
const [splade, masked, corpus] = [at('splade'), at('masked'), at('corpus.jsonl')] as const;
const texts = ['the cat sat on the mat.', 'dog ran home!', 'the mat, the mat'];

interface Hit {
  readonly id: string;
  readonly score: number;
  readonly text: string;
  readonly sparse?: number;
}

beforeAll(async () => {
  await writeDirectory(splade, spladeDirectory());
  await writeDirectory(masked, maskDirectory());
  await writeFile(corpus, texts.map((text, id) => `${JSON.stringify({ id, text })}\n`).join(''));
});

async function hitsOf(...args: readonly string[]): Promise<readonly Hit[]> {
  const { code, err, out } = await ambryCli(['search', ...args, 'the mat', '--json']);
  expect(code, err).toBe(0);
  return JSON.parse(out) as Hit[];
}

describe('an index of a sparse encoder', () => {
  test('is made, updated and searched', async () => {
    const target = at('sparse.ambryindex');
    const made = await ambryCli(['index', splade, corpus, target]);
    expect(made.code, made.err).toBe(0);
    await using model = await ambry.open(spladeDirectory(), { kind: 'sparseEncoder' });
    await using index = await ambry.createIndex(
      model,
      texts.map((text) => ({ text })),
    );
    const expected = await index.search('the mat');
    const hits = await hitsOf(target);
    expect(hits.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
    expect(hits.map(({ score }) => score)).toEqual(expected.map(({ score }) => score));
    expect(hits[0]).not.toHaveProperty('sparse');
    const updated = await ambryCli(['index', splade, corpus, target, '--update', '--json']);
    expect(JSON.parse(updated.out)).toMatchObject({ kept: 3, added: 0, removed: 0 });
  });

  test('refuses options of dense vectors', async () => {
    const target = at('refused.ambryindex');
    const prompt = await ambryCli(['index', splade, corpus, target, '--prompt', 'x', '--json']);
    expect(prompt.code).not.toBe(0);
    expect(prompt.json()).toMatchObject([
      { error: { code: 'Unsupported', path: 'options.prompt' } },
    ]);
    await expect(readFile(target)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('an index with a sparse encoder beside its model', () => {
  test('is made, updated and searched by both', async () => {
    const target = at('both.ambryindex');
    // A masked language model is a sparse encoder here, because it is asked for one.
    const made = await ambryCli(['index', encoder, corpus, target, '--sparse', masked]);
    expect(made.code, made.err).toBe(0);
    const hits = await hitsOf(target);
    expect(hits).toHaveLength(3);
    await using model = await ambry.open(maskDirectory(), { kind: 'sparseEncoder' });
    const query = await model.embedSparse('the mat', { as: 'query' });
    for (const { text, sparse } of hits) {
      const dot = ambry.sparseDot(await model.embedSparse(text), query);
      expect(sparse).toBeCloseTo(dot, 5);
    }
    expect(await hitsOf(target, '--model', encoder, '--sparse', masked)).toEqual(hits);
    const options = ['--sparse', masked, '--update', '--json'];
    const updated = await ambryCli(['index', encoder, corpus, target, ...options]);
    expect(JSON.parse(updated.out)).toMatchObject({ kept: 3, added: 0, removed: 0 });
    const without = await ambryCli(['index', encoder, corpus, target, '--update', '--json']);
    expect(without.json()).toMatchObject([{ error: { code: 'Mismatch', path: 'options.sparse' } }]);
    const other = await ambryCli(['search', target, 'mat', '--sparse', splade, '--json']);
    expect(other.code, 'the chain and the masked model have the same weights').toBe(0);
    const wrong = await ambryCli(['search', target, 'mat', '--sparse', encoder, '--json']);
    expect(wrong.code).not.toBe(0);
  });
});
