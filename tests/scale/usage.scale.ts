// The example of the README, documents as a corpus, Parquet files, and readers that leave early.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ambryWorker, root, start, workerMain } from './support/processes.ts';
import { model, openWorkbench, otherModel, textOf, type Workbench } from './support/workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
  writeCommands();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** Puts the commands of the documents where `shell` finds them. Once, because a script that is written cannot be run. */
function writeCommands(): void {
  const bin = join(bench.folder, 'bin');
  mkdirSync(bin);
  const node = `exec '${process.execPath}'`;
  const option = { mode: 0o755 };
  writeFileSync(join(bin, 'ambry-worker'), `#!/bin/sh\n${node} '${workerMain}' "$@"\n`, option);
  writeFileSync(join(bin, 'ambry'), `#!/bin/sh\n${node} '${root}dist/cli/main.js' "$@"\n`, option);
}

/** Runs a line of a shell in the folder of the workbench. */
function shell(line: string) {
  const env = { PATH: `${join(bench.folder, 'bin')}:${process.env['PATH']}` };
  const options = { env, limitMs: 120_000 };
  return start('bash', ['-o', 'pipefail', '-c', `cd '${bench.folder}' && ${line}`], options);
}

test('the lines of the README embed a corpus', async () => {
  const readme = readFileSync(join(root, 'packages/worker/README.md'), 'utf8');
  const [, block = ''] = /^```sh\n(.*?)^```$/ms.exec(readme) ?? [];
  const lines = block
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, ''))
    .map((line) => line.replaceAll('postgres://me@db/corpus', bench.postgres.url))
    .map((line) => line.replaceAll('redis://queue', bench.redis.url));
  expect(lines.map((line) => line.split(' ')[1])).toEqual([
    'enqueue',
    'run',
    'status',
    'verify',
    'search',
  ]);
  copyFileSync(otherModel, join(bench.folder, 'minilm.weights'));
  bench.corpus('corpus', 300);
  const [enqueue = '', run = '', status = '', verify = '', search = ''] = lines;
  expect(await shell(enqueue).ended).toMatchObject({ code: 0, stderr: '' });
  const worker = shell(`exec ${run}`);
  // A worker that ends early would leave the other one watching for ever.
  const watched = await Promise.race([shell(status).ended, worker.ended]);
  expect(watched).toMatchObject({ code: 0, stderr: '' });
  const reports = watched.stdout.trim().split('\n');
  for (const report of reports) {
    expect(report).toMatch(/^waiting \d+, active \d+, failed 0, written \d+, left \d+, perSecond /);
  }
  expect(reports.at(-1)).toMatch(/^waiting 0, active 0, failed 0, written 300, left 0, /);
  expect(await shell(verify).ended).toMatchObject({
    code: 0,
    stdout: 'passages 300, written 300, queued 0, failed 0, missing 0\n',
  });
  const hits = await shell(search).ended;
  expect(hits.stdout.trim().split('\n')).toHaveLength(10);
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
});

test('the examples of "ambry help worker" embed a corpus to Parquet files', async () => {
  const help = await shell('ambry help worker --json').ended;
  const { examples } = JSON.parse(help.stdout) as { examples: string[] };
  expect(examples.map((line) => line.split(' ')[1])).toEqual(['enqueue', 'run']);
  copyFileSync(otherModel, join(bench.folder, 'minilm.weights'));
  bench.corpus('corpus', 300);
  const options = `--redis ${bench.redis.url} --queue help`;
  for (const line of [`${examples[0]} ${options}`, `${examples[1]} ${options} --drain`]) {
    expect((await shell(`ambry ${line}`).ended).code, line).toBe(0);
  }
  const keys: string[] = [];
  const folder = join(bench.folder, 'vectors');
  for (const part of readdirSync(folder).filter((name) => name.endsWith('.parquet'))) {
    const file = new Uint8Array(readFileSync(join(folder, part))).buffer;
    for (const row of await parquetReadObjects({ file })) {
      keys.push(row['key'] as string);
      expect(Math.hypot(...(row['vector'] as number[]))).toBeCloseTo(1, 3);
    }
  }
  expect(keys.sort()).toEqual(Array.from({ length: 300 }, (_, i) => `p${i}`).sort());
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('documents are cut into passages', async () => {
  const files = ['north', 'south'].map((name) => {
    const folder = join(bench.folder, name);
    mkdirSync(folder);
    const paragraphs = Array.from({ length: 30 }, (_, i) => `${textOf(i)} `.repeat(20));
    writeFileSync(join(folder, 'page.md'), `# ${name}\n\n${paragraphs.join('\n\n')}\n`);
    return join(folder, 'page.md');
  });
  const place = bench.place('documents');
  expect((await ambryWorker('enqueue', ...files, ...place)).code).toBe(0);
  expect((await ambryWorker('run', ...place, '--drain')).code).toBe(0);
  expect((await ambryWorker('verify', ...files, ...place)).code).toBe(0);
  for (const file of files) {
    const where = `WHERE key LIKE '${file}#%' AND text LIKE '%harbours%'`;
    expect((await bench.rows(`SELECT FROM documents ${where}`)).length).toBeGreaterThan(10);
  }
});

test('a reader that leaves early is no error', async () => {
  const place = `--model '${model}' --to '${bench.postgres.url}' --table documents`;
  const search = await shell(`ambry-worker search ships --k 50 ${place} | head -n 1`).ended;
  expect(search).toMatchObject({ code: 0, stderr: '' });
  const queue = bench.queue('waits').join(' ');
  const corpus = bench.corpus('waits', 10);
  await ambryWorker('enqueue', corpus, ...bench.place('waits'));
  const status = await shell(`ambry-worker status --watch ${queue} | head -n 2`).ended;
  expect(status).toMatchObject({ code: 0, stderr: '' });
  expect(status.stdout.trim().split('\n')).toHaveLength(2);
});

test('watching that is stopped ends with the code of the signal', async () => {
  const { child, ended } = start(process.execPath, [
    workerMain,
    'status',
    '--watch',
    ...bench.queue('waits'),
  ]);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
});
