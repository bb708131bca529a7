// The encoder that the demo ships, measured through the command line as a user would: the STS
// Benchmark and retrieval scores that its README states.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { csv2json } from 'csv42';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spearman } from '../eval/measures.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const data = process.env.AMBRY_DATA ?? path.resolve(root, '../shared/data');
const cli = path.join(root, 'dist/cli/main.js');
const shipped = path.join(root, 'web/demo/public/models/english-192x2.weights');
const source = path.join(data, 'encoders/english-192x2');
const hasData = existsSync(source) && existsSync(path.join(data, 'eval'));
if (!hasData) console.log(`skipped: no evaluation data in ${data} (set AMBRY_DATA)`);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ambry-eval-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Unit vectors of the texts, in order, by `ambry embed`. */
async function embed(model: string, texts: readonly string[]): Promise<Float32Array[]> {
  const lines = path.join(folder, 'lines.txt');
  const npy = path.join(folder, 'vectors.npy');
  await writeFile(lines, `${texts.join('\n')}\n`);
  await run(process.execPath, [cli, 'embed', model, '--file', lines, '--npy', npy]);
  const bytes = await readFile(npy);
  const start = 10 + bytes.readUInt16LE(8);
  const floats = new Float32Array(bytes.buffer.slice(bytes.byteOffset + start));
  const dim = floats.length / texts.length;
  return texts.map((_, i) => floats.subarray(i * dim, (i + 1) * dim));
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

async function stsDev(model: string): Promise<number> {
  const text = await readFile(path.join(data, 'eval/stsbenchmark/stsb-en-dev.csv'), 'utf8');
  const rows = csv2json<Record<string, string>>(text, {
    header: false,
    nested: false,
    parseValue: (value) => value,
  })
    .map((row) => Object.values(row))
    .filter((row) => row.length === 3);
  const vectors = await embed(model, [
    ...rows.map((row) => row[0] ?? ''),
    ...rows.map((row) => row[1] ?? ''),
  ]);
  const half = vectors.length / 2;
  const cosines = rows.map((_, i) =>
    dot(vectors[i] ?? new Float32Array(), vectors[half + i] ?? new Float32Array()),
  );
  return spearman(
    cosines,
    rows.map((row) => Number(row[2])),
  );
}

async function tldr(model: string): Promise<{ recall: number; mrr: number }> {
  const jsonl = async (name: string) =>
    (await readFile(path.join(data, 'eval/tldr-retrieval', name), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const docs: { id: string; text: string }[] = await jsonl('docs.jsonl');
  const queries: { query: string; relevant: string | string[] }[] = await jsonl('queries.jsonl');
  const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
  const vectors = await embed(model, [
    ...docs.map((doc) => oneLine(doc.text)),
    ...queries.map((entry) => oneLine(entry.query)),
  ]);
  let first = 0;
  let reciprocal = 0;
  queries.forEach((entry, q) => {
    const query = vectors[docs.length + q] ?? new Float32Array();
    const scores = docs.map((_, i) => dot(query, vectors[i] ?? new Float32Array()));
    const target = docs.findIndex((doc) => [entry.relevant].flat().includes(doc.id));
    const rank = 1 + scores.filter((score) => score > (scores[target] ?? 0)).length;
    if (rank === 1) first++;
    if (rank <= 10) reciprocal += 1 / rank;
  });
  return { recall: first / queries.length, mrr: reciprocal / queries.length };
}

describe.skipIf(!hasData)('english-192x2 through the command line', { timeout: 300_000 }, () => {
  test('reaches its stated scores as converted from its directory', async () => {
    const converted = path.join(folder, 'english.weights');
    await run(process.execPath, [cli, 'convert', source, converted]);
    const score = await stsDev(converted);
    console.log(`STS-B dev Spearman, as stored (f16): ${score.toFixed(4)}`);
    expect(Math.abs(score - 0.817)).toBeLessThan(0.001);
  });

  test('reaches them in the int8 file that the demo ships', async () => {
    const score = await stsDev(shipped);
    const { recall, mrr } = await tldr(shipped);
    console.log(
      `int8: STS-B dev ${score.toFixed(4)}, tldr R@1 ${recall.toFixed(3)}, MRR@10 ${mrr.toFixed(3)}`,
    );
    expect(Math.abs(score - 0.817)).toBeLessThan(0.003);
    expect(recall).toBeGreaterThanOrEqual(0.48);
    expect(mrr).toBeGreaterThanOrEqual(0.56);
  });
});
