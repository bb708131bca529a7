// Sparse vectors in PostgreSQL: pgvector scores them as sparseDot does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIndex, open, openIndex, type SparseEncoder, sparseDot } from 'ambry';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeDirectory } from '../web/support/cli/reader-files.ts';
import { routedDirectory, spladeDirectory } from '../web/support/directories/sparse-directories.ts';
import { ambryWorker, parsed, parsedLines } from './support/processes.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

const texts = ['the cat sat on the mat.', 'dog ran home!', 'the mat, the mat', 'a home', 'water'];
const query = 'the mat';

let bench: Workbench;
const folders: Record<string, string> = {};
beforeAll(async () => {
  bench = await openWorkbench();
  for (const [name, files] of [
    ['splade', spladeDirectory()],
    ['routed', routedDirectory()],
  ] as const) {
    folders[name] = join(bench.folder, name);
    await writeDirectory(folders[name], files);
  }
});
afterAll(() => bench[Symbol.asyncDispose]());

test.each(['splade', 'routed'])('%s is written and searched', async (name) => {
  const folder = folders[name] as string;
  const corpus = bench.corpusOf(name, texts);
  const table = ['--model', folder, '--to', bench.postgres.url, '--table', name];
  const place = [...bench.queue(name), ...table];
  const queued = await ambryWorker('enqueue', corpus, ...place, '--json');
  expect(queued.stderr).toBe('');
  const run = await ambryWorker('run', ...place, '--drain', '--json');
  expect(parsed(run), run.stderr).toMatchObject({ written: 5 });
  const again = await ambryWorker('enqueue', corpus, ...place, '--from-start', '--json');
  expect(parsed(again)).toMatchObject({ done: 5, added: 0 });
  const [column] = await bench.rows<{ type: string }>(
    `SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute
       WHERE attrelid = '${name}'::regclass AND attname = 'vector'`,
  );
  await using model = (await open(folder)) as SparseEncoder;
  expect(column?.type).toBe(`sparsevec(${model.dimensions})`);

  const asked = await model.embedSparse(query, { as: 'query' });
  const vectors = await model.embedSparse(texts);
  const expected = vectors
    .map((vector, i) => ({ key: `p${i}`, score: sparseDot(vector, asked) }))
    .toSorted((a, b) => b.score - a.score);
  for (const more of [[], ['--hnsw']]) {
    const found = await ambryWorker('search', query, ...table, '--k', '3', ...more, '--json');
    expect(found.stderr).toBe('');
    const hits = parsedLines(found);
    expect(hits).toHaveLength(3);
    for (const [i, hit] of hits.entries()) {
      expect(hit.score).toBeCloseTo(expected[i]?.score ?? Number.NaN, 4);
    }
  }

  const file = join(bench.folder, `${name}.ambryindex`);
  const exported = await ambryWorker('export', ...table, '--to-index', file, '--json');
  expect(parsed(exported), exported.stderr).toMatchObject({ passages: 5 });
  await using loaded = await openIndex(readFileSync(file), { model });
  await using direct = await createIndex(
    model,
    texts.map((text, i) => ({ id: `p${i}`, text })),
  );
  const hits = await loaded.search(query);
  const wanted = await direct.search(query);
  expect(hits.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
  for (const [i, { score }] of hits.entries()) {
    expect(score).toBeCloseTo(wanted[i]?.score ?? Number.NaN, 4);
  }
});

test('a prompt is refused before anything is written', async () => {
  const corpus = bench.corpusOf('prompted', texts);
  const place = [...bench.queue('prompted'), '--to', bench.postgres.url, '--table', 'prompted'];
  const model = ['--model', folders['splade'] as string, '--prompt', 'query: '];
  const refused = await ambryWorker('enqueue', corpus, ...place, ...model);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('--prompt');
  const tables = await bench.rows("SELECT 1 FROM pg_tables WHERE tablename = 'prompted'");
  expect(tables).toEqual([]);
});
