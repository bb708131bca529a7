// `ambry rank`, `ambry classify` with encoders, and `ambry search --rerank`.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { headDirectory, nliLabels } from '../../support/directories/head-directories.ts';
import { colbertDirectory } from '../../support/directories/late-directories.ts';
import { languageModelDirectory } from '../../support/models/reranker-models.ts';
import { ambry } from '../../support/package.ts';

const { at, model: encoder } = await cliFolder();
const reranker = at('reranker.weights');
const nli = at('nli');
const colbert = at('colbert');
const languageModel = at('language-model');

async function write(directory: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [name, bytes] of files) {
    await mkdir(dirname(`${directory}/${name}`), { recursive: true });
    await writeFile(`${directory}/${name}`, bytes);
  }
}

beforeAll(async () => {
  const blob = await ambry.convert(headDirectory());
  await writeFile(reranker, new Uint8Array(await blob.arrayBuffer()));
  await write(nli, headDirectory({ labels: nliLabels }));
  await write(colbert, colbertDirectory());
  const files = { 'README.md': '# Qwen3-Reranker-0.6B\n' };
  await write(languageModel, languageModelDirectory({ files }));
  await writeFile(at('passages.txt'), 'dog ran home!\nthe cat sat.\non the mat\n');
});

interface Ranked {
  readonly index: number;
  readonly score: number;
  readonly text: string;
}

describe('rank', () => {
  test('prints texts and lines of a file, the best first', async () => {
    const args = ['rank', reranker, 'the cat', at('passages.txt'), '--text', 'a cat'];
    const { code, out } = await ambryCli(args);
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(line).toMatch(/^0\.\d{4}\t\d\t/);
    }
    const [found] = (await ambryCli([...args, '--json', '-k', '2'])).json() as [Ranked[]];
    expect(found).toHaveLength(2);
    expect(lines[0]).toBe(`${found[0]?.score.toFixed(4)}\t${found[0]?.index}\t${found[0]?.text}`);
    await using model = await ambry.open({ path: reranker } as never, { kind: 'reranker' });
    const texts = ['a cat', 'dog ran home!', 'the cat sat.', 'on the mat'];
    const expected = await model.rank('the cat', texts);
    expect(found.map(({ index }) => index)).toEqual(expected.slice(0, 2).map(({ index }) => index));
  });

  test('takes a language model, with an instruction', async () => {
    const args = ['rank', languageModel, 'cat', '--text', 'a cat', '--text', 'a boat', '--json'];
    const usual = (await ambryCli(args)).json() as [Ranked[]];
    const told = (await ambryCli([...args, '--instruction', 'Find boats.'])).json() as [Ranked[]];
    for (const [found] of [usual, told]) {
      expect(found.map(({ text }) => text).toSorted()).toEqual(['a boat', 'a cat']);
    }
    expect(told).not.toEqual(usual);
    const refused = await ambryCli(['rank', reranker, 'cat', '--text', 'a', '--instruction', 'x']);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('takes no instruction');
  });

  test('reads standard input', async () => {
    const run = await ambryCli(['rank', reranker, 'cat', '-', '--json'], 'dog\ncat\n');
    const [found] = run.json() as [Ranked[]];
    expect(found.map(({ text }) => text).toSorted()).toEqual(['cat', 'dog']);
  });

  test('takes a model with late interaction', async () => {
    const args = ['rank', colbert, 'the cat', at('passages.txt'), '--json', '-k', '2'];
    const [found] = (await ambryCli(args)).json() as [Ranked[]];
    await using model = await ambry.open(colbertDirectory(), { kind: 'encoder' });
    const texts = ['dog ran home!', 'the cat sat.', 'on the mat'];
    const expected = await model.rank('the cat', texts, { k: 2, returnDocuments: true });
    expect(found.map(({ index, text }) => [index, text])).toEqual(
      expected.map(({ index, text }) => [index, text]),
    );
  });

  test('makes and searches an index of token vectors', async () => {
    const index = at('late.ambryindex');
    const made = await ambryCli(['index', colbert, at('passages.txt'), index]);
    expect(made).toMatchObject({ code: 0 });
    const run = await ambryCli(['search', index, 'the cat', '--json']);
    expect(run.code).toBe(0);
    const [hits] = run.json() as [{ text: string; score: number; cosine: number }[]];
    expect(hits.length).toBeGreaterThan(0);
    expect(hits[0]?.score).toBeCloseTo(9 * (hits[0]?.cosine ?? 0), 2);
  });

  test('refuses an encoder without a head by name', async () => {
    const run = await ambryCli(['rank', encoder, 'cat', '--text', 'dog', '--json']);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject([{ error: { code: 'Unsupported' } }]);
    expect(JSON.stringify(run.json())).toContain('holds a sentence encoder');
  });

  test('refuses a model of several labels', async () => {
    const run = await ambryCli(['rank', nli, 'cat', '--text', 'dog']);
    expect(run.code).toBe(1);
    expect(run.err).toContain('holds a text classifier');
  });

  test.each([
    [['rank', 'x', 'cat'], 'No text was given'],
    [['rank', '-', 'cat', '-'], 'cannot both be standard input'],
    [['rank', 'x', 'cat', '--text', 'a', '-k', 'two'], '-k'],
    [['rank', 'x', 'cat', '--text', 'a', '--truncate', 'start'], '--truncate'],
  ])('refuses %o', async (args, message) => {
    const run = await ambryCli(args);
    expect(run.code).toBe(2);
    expect(run.err).toContain(message);
  });

  test('fails for a text that is too long with --truncate error', async () => {
    const args = ['rank', reranker, 'cat', '--text', 'dog '.repeat(40), '--truncate', 'error'];
    const run = await ambryCli([...args, '--json']);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject([{ error: { code: 'LimitExceeded', path: 'documents[0]' } }]);
  });
});

describe('classify with an encoder', () => {
  const labelsOf = async (...args: string[]) => {
    const run = await ambryCli(['classify', nli, ...args, '--json']);
    expect(run.code, run.err).toBe(0);
    return run.json() as { labels: { label: string; index: number; score: number }[] }[];
  };

  test('gives the labels of its head', async () => {
    const [one] = await labelsOf('--text', 'the cat');
    expect(one?.labels.map(({ label }) => label).toSorted()).toEqual(nliLabels.toSorted());
    const [none] = await labelsOf('--text', 'the cat', '--threshold', '1');
    expect(none?.labels).toEqual([]);
  });

  test('classifies into candidates', async () => {
    const candidates = ['--candidates', 'cat, dog'];
    const [found] = await labelsOf('--text', 'on the mat', ...candidates);
    const sum = found?.labels.reduce((total, { score }) => total + score, 0);
    expect(sum).toBeCloseTo(1, 5);
    const [several] = await labelsOf('--text', 'on the mat', ...candidates, '--multi-label');
    expect(several).not.toEqual(found);
    const [other] = await labelsOf('--text', 'on the mat', ...candidates, '--hypothesis', '{}');
    expect(other).not.toEqual(found);
  });

  test('reads pairs from lines of JSON', async () => {
    const input = '{"text":"the cat","pair":"dog"}\n{"text":"the cat"}\n';
    const run = await ambryCli(['classify', nli, '--jsonl', '-k', '3'], input);
    const [pair, single] = run.json() as { labels: unknown }[];
    expect(pair?.labels).not.toEqual(single?.labels);
  });

  test('refuses what only encoders take for a fastText classifier', async () => {
    const { classifierPath } = await import('../../support/files/classifier-files.ts');
    const fast = classifierPath('softmax.bin');
    const run = await ambryCli(['classify', fast, '--text', 'a', '--candidates', 'b']);
    expect(run.code).toBe(2);
    expect(run.err).toContain('--candidates is for encoders');
  });
});

describe('search --rerank', () => {
  test('sorts the candidates anew', async () => {
    const index = at('p.ambryindex');
    expect((await ambryCli(['index', encoder, at('passages.txt'), index])).code).toBe(0);
    const args = ['search', index, 'the cat', '--rerank', reranker, '--candidates', '2'];
    const run = await ambryCli([...args, '-k', '2', '--json']);
    expect(run.code, run.err).toBe(0);
    const [hits] = run.json() as [{ score: number; retrievalScore: number }[]];
    expect(hits.length).toBeGreaterThan(0);
    for (const { score, retrievalScore } of hits) {
      expect(score).toBeGreaterThan(0);
      expect(retrievalScore).not.toBe(score);
    }
    expect((await ambryCli(['search', index, 'cat', '--candidates', '2'])).code).toBe(2);
  });
});
