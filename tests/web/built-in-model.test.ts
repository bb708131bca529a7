// The static encoder that the search page has built in, and the transformer beside it: the files are sound, and through the
// product they reach the scores that their cards state.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dataPath } from '../data-folder.mjs';
import { Vectors } from '../eval/measures.ts';
import { embedderOf, stsScore, tldrScores, wordScore } from '../eval/tasks.ts';
import { cliArgs } from './support/cli/cli.ts';
import { describeWithData } from './support/data.ts';
import { openEncoder } from './support/open-kinds.ts';
import { ambry } from './support/package.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const models = path.join(root, 'web/demo/public/models');
const shipped = [
  { name: 'english-static-336', bars: { sts: 0.812, recall1: 0.495, reciprocal: 0.58 } },
  { name: 'english-192x1', bars: { sts: 0.81, recall1: 0.48, reciprocal: 0.56 } },
] as const;
const fileOf = (name: string) => path.join(models, `${name}.weights`);
const cardOf = (name: string) => readFile(path.join(models, `${name}.md`), 'utf8');
const sts = 'eval/stsbenchmark/stsb-en-dev.csv';
const source = 'encoders/english-192x2';

vi.setConfig({ testTimeout: 120_000 });

/** Numbers of the card's table of scores, by their row. */
async function statedScores(name: string): Promise<Map<string, number>> {
  const card = await cardOf(name);
  const rows = card.matchAll(/^\| (?<name>[^|]+?) +\| (?<score>0\.\d{3}) \|/gm);
  return new Map(
    [...rows].map(({ groups }) => [groups?.['name'] ?? '', Number(groups?.['score'])]),
  );
}

/** Both flavours' roundings, and the index's, move a few pairs and queries. */
function expectNear(score = Number.NaN, stated = Number.NaN): void {
  expect(Math.abs(score - stated)).toBeLessThan(0.003);
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ambry-encoder-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** By `ambry embed`. */
function embedderOfFile(model: string) {
  return async (texts: readonly string[]): Promise<Vectors> => {
    const lines = path.join(folder, 'lines.txt');
    const npy = path.join(folder, 'vectors.npy');
    await writeFile(lines, `${texts.join('\n')}\n`);
    await run(process.execPath, [...cliArgs, 'embed', model, '--file', lines, '--npy', npy]);
    const bytes = await readFile(npy);
    const start = 10 + bytes.readUInt16LE(8);
    const numbers = new Float32Array(bytes.buffer.slice(bytes.byteOffset + start));
    return new Vectors(numbers, texts.length);
  };
}

describe.each(shipped)('$name', ({ name, bars }) => {
  test('is small, and valid in strict reading', async () => {
    expect((await stat(fileOf(name))).size).toBeLessThanOrEqual(4_500_000);
    const { valid, warnings } = await ambry.validate(fileOf(name), { strict: true, values: true });
    expect({ valid, warnings }).toEqual({ valid: true, warnings: [] });
  });

  test('is described by its card', async () => {
    const sum = createHash('sha256')
      .update(await readFile(fileOf(name)))
      .digest('hex');
    expect(await cardOf(name)).toContain(sum);
  });

  const sets = [sts, 'eval/tldr-retrieval', 'eval/word-similarity'];
  describeWithData('with the evaluation data', sets, () => {
    test('reaches the stated scores of the STS Benchmark through the command line', async () => {
      const score = await stsScore(embedderOfFile(fileOf(name)), 'dev');
      expect(score).toBeGreaterThanOrEqual(bars.sts);
      expectNear(score, (await statedScores(name)).get('STS-B dev'));
    });

    test('finds passages and similar words as its card states', async () => {
      await using model = await openEncoder({ path: fileOf(name) });
      const { meaning, both } = await tldrScores(model, 'meaning', 'both');
      const { recall1, recall10, reciprocal } = meaning;
      expect(recall1).toBeGreaterThanOrEqual(bars.recall1);
      expect(reciprocal).toBeGreaterThanOrEqual(bars.reciprocal);
      const measured = {
        'tldr R@1': recall1,
        'tldr R@10': recall10,
        'tldr MRR@10': reciprocal,
        'tldr R@1 with words': both.recall1,
        'tldr MRR@10 with words': both.reciprocal,
        'WS-353-SIM': await wordScore(embedderOf(model), 'WS-353-SIM'),
      };
      const stated = await statedScores(name);
      for (const [row, score] of Object.entries(measured)) {
        expectNear(score, stated.get(row));
      }
    });
  });
});

describeWithData('an encoder from a Hugging Face directory', [source, sts], () => {
  test('reaches its stated scores after conversion, and nearly in int8', async () => {
    const [half, int8] = [path.join(folder, 'half.weights'), path.join(folder, 'int8.weights')];
    await run(process.execPath, [...cliArgs, 'convert', dataPath(source), half]);
    await run(process.execPath, [...cliArgs, 'quantize', half, int8, '--type', 'int8']);
    const score = (await stsScore(embedderOfFile(half), 'dev')) ?? 0;
    expect(Math.abs(score - 0.817)).toBeLessThan(0.001);
    expect(Math.abs(((await stsScore(embedderOfFile(int8), 'dev')) ?? 0) - score)).toBeLessThan(
      0.003,
    );
  });
});
