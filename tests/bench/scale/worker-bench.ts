// Passages a second of one worker and of two, with a model of MiniLM's shape and random weights, and the cost of a passage in
// Redis and PostgreSQL. The rate is that of a time in which all workers are at work. One worker and two are measured in turn, and
// the ratio is the median of these pairs. It says something only on a machine with two idle cores: the load is printed. The servers must be installed (tests/scale/install-servers.sh).
//
//   node tests/bench/scale/worker-bench.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { ambryWorker, type Running, startWorker, until } from '../../scale/support/processes.ts';
import { openWorkbench } from '../../scale/support/workbench.ts';
import { encoderDirectory, randomEncoder, wordOf } from '../encoder/encoder-model.mjs';

const shape = { layers: 6, width: 384, inner: 1536, heads: 12, vocabulary: 30522 };
const nPassages = 20_000;
const nWords = 62; // 64 tokens with [CLS] and [SEP]
const nRounds = 3;
/** Small, so that a job more or less in the time that is measured changes little. */
const jobSize = 8;
const windowMs = 20_000;
const hnswRows = 20_000;
const targetRatio = 1.9;

await using bench = await openWorkbench();
const client = new Redis(bench.redis.url);

const model = join(bench.folder, 'minilm');
mkdirSync(model);
for (const [name, blob] of Object.entries(encoderDirectory(randomEncoder(shape)))) {
  writeFileSync(join(model, name), new Uint8Array(await (blob as Blob).arrayBuffer()));
}
const corpus = join(bench.folder, 'corpus.jsonl');
const word = (i: number) => wordOf(5 + (i % (shape.vocabulary - 5)));
const textOf = (i: number) =>
  Array.from({ length: nWords }, (_, w) => word(i * 71 + w * 13)).join(' ');
const lines = Array.from({ length: nPassages }, (_, i) =>
  JSON.stringify({ id: i, text: textOf(i) }),
);
writeFileSync(corpus, lines.join('\n'));

const place = ['--model', model, '--to', bench.postgres.url, ...bench.queue('bench')];
const memory = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
const written = async () => Number(await client.hget('ambry:bench', 'written'));
const note = (line: string) => console.log(line);
const load = () => `load ${loadavg()[0]?.toFixed(2)}`;

note(load());
const emptyBytes = await memory();
const enqueueStart = performance.now();
const filled = await ambryWorker(
  'enqueue',
  corpus,
  ...place,
  '--job-size',
  `${jobSize}`,
  '--max-waiting',
  `${nPassages}`,
);
if (filled.code !== 0) {
  throw new Error(filled.stderr);
}
note(
  `enqueue: ${Math.round(nPassages / ((performance.now() - enqueueStart) / 1000))} passages a second`,
);
note(
  `Redis: ${Math.round(((await memory()) - emptyBytes) / nPassages)} bytes a passage that waits`,
);

/** Stops all workers, which end their jobs, and then measures none of them. */
async function stop(workers: readonly Running[]): Promise<void> {
  for (const { child } of workers) {
    child.kill('SIGTERM');
  }
  for (const { code, stderr } of await Promise.all(workers.map(({ ended }) => ended))) {
    if (code !== 0) {
      throw new Error(stderr);
    }
  }
}

async function rate(count: number): Promise<number> {
  const workers = Array.from({ length: count }, () => startWorker('run', ...place));
  await until(async () => (await client.llen('bull:bench:active')) === count);
  await sleep(3000);
  const before = await written();
  const start = performance.now();
  await sleep(windowMs);
  const perSecond = (await written()) - before;
  const elapsed = (performance.now() - start) / 1000;
  await stop(workers);
  return perSecond / elapsed;
}

const ratios: number[] = [];
for (let round = 0; round < nRounds; round++) {
  const one = await rate(1);
  const two = await rate(2);
  note(`round ${round + 1}: ${one.toFixed(1)} and ${two.toFixed(1)} passages a second, ${load()}`);
  ratios.push(two / one);
}
await client.quit();

const [size] = await bench.rows<{ rows: string; bytes: string }>(
  "SELECT count(*) AS rows, pg_total_relation_size('passages') AS bytes FROM passages",
);
note(
  `PostgreSQL: ${Math.round(Number(size?.bytes) / Number(size?.rows))} bytes a passage without HNSW`,
);

const insertStart = performance.now();
await bench.rows(
  `CREATE TABLE random_rows AS SELECT i AS key, (SELECT array_agg(random() - 0.5)
     FROM generate_series(1, ${shape.width} + i * 0))::vector(${shape.width}) AS vector
   FROM generate_series(1, ${hnswRows}) AS i`,
);
note(
  `PostgreSQL: ${(performance.now() - insertStart).toFixed(0)} ms to make ${hnswRows} random rows`,
);
const buildStart = performance.now();
await bench.rows('CREATE INDEX random_hnsw ON random_rows USING hnsw (vector vector_cosine_ops)');
const buildMs = performance.now() - buildStart;
const [hnsw] = await bench.rows<{ bytes: string }>(
  "SELECT pg_relation_size('random_hnsw') AS bytes",
);
note(
  `HNSW: ${(buildMs / hnswRows).toFixed(2)} ms and ${Math.round(Number(hnsw?.bytes) / hnswRows)} bytes a row of ${hnswRows}`,
);
const ratio = ratios.sort((a, b) => a - b)[nRounds >> 1] ?? 0;
note(`two workers / one: ${ratio.toFixed(2)} (wanted: ${targetRatio})`);
process.exitCode = ratio >= targetRatio ? 0 : 1;
