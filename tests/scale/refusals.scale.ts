// What a user can do wrong, and servers that are not as they must be. Each error says what to do.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCorpus } from 'ambry-worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ambryWorker, parsed } from './support/processes.ts';
import { postgresServer, redisServer } from './support/servers.ts';
import { model, openWorkbench, otherModel, type Workbench } from './support/workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench[Symbol.asyncDispose]());

async function expectError(args: readonly string[], code: number, message: RegExp) {
  const { stderr, ...ended } = await ambryWorker(...args);
  expect([ended.code, stderr]).toEqual([code, expect.stringMatching(message)]);
}

const nowhere = 'postgres://ambry@127.0.0.1:1/postgres';

describe('the command line', () => {
  test.each([
    [['run', '--batch', '3'], /^BadValue --batch: There is no option --batch/],
    [['run', '--model', model], /^BadValue --to: --to is missing/],
    [['fly'], /^BadValue: There is no command "fly" here/],
    [['status', '--queue', 'a b'], /--queue must be 1 to 64 letters/],
    [['status', '--redis', 'localhost'], /--redis must be a URL/],
    [['search', 'x', '--model', model, '--to', nowhere, '--hnsw', '--k', '2000'], /^BadValue --k/],
    [['run', '--model', model, '--to', 's3://bucket'], /^BadValue --to: --to must be/],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await ambryWorker(...args);
    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(message)]);
  });
});

describe('the servers', () => {
  test('that do not answer at the start are named', async () => {
    const table = ['--model', model, '--to', nowhere];
    const queue = bench.queue('nowhere');
    const corpus = bench.corpus('nowhere', 1);
    const noTable = /^Http --to: No connection to PostgreSQL at \S+:1\/postgres: .*Is it running/;
    await expectError(['run', ...queue, ...table], 2, noTable);
    await expectError(['enqueue', corpus, ...queue, ...table], 2, noTable);
    await expectError(['search', 'x', ...table], 2, noTable);
    const noQueue = /^Http --redis: No connection to Redis at redis:\/\/127\.0\.0\.1:1: /;
    await expectError(['run', '--redis', 'redis://127.0.0.1:1', ...table], 2, noQueue);
  });

  test('must have pgvector', async () => {
    const plain = await postgresServer({ pgvector: false });
    await plain.start();
    const args = ['run', ...bench.queue('plain'), '--model', model, '--to', plain.url];
    await expectError(args, 1, /^Unsupported --to: PostgreSQL cannot load pgvector: .*Install it/);
    await plain.stop();
  });

  test('must let the user create pgvector, and the error says how', async () => {
    await bench.rows('CREATE ROLE guest LOGIN');
    await bench.rows('CREATE DATABASE guests');
    const to = bench.postgres.url.replace('ambry@', 'guest@').replace(/postgres$/, 'guests');
    const args = ['run', ...bench.queue('guest'), '--model', model, '--to', to];
    await expectError(args, 1, /^Unsupported --to: .*run CREATE EXTENSION vector in the database/);
  });

  test('must not delete jobs', async () => {
    const evicting = await redisServer('--maxmemory-policy', 'allkeys-lru');
    await evicting.start();
    const args = ['--model', model, '--to', bench.postgres.url, '--redis', evicting.url];
    await expectError(['run', ...args], 1, /^Unsupported --redis: .*maxmemory-policy allkeys-lru/);
    await evicting.stop();
  });

  test('that lose the table end the worker and spoil no job', async () => {
    const place = bench.place('dropped');
    const corpus = bench.corpus('dropped', 10);
    await ambryWorker('enqueue', corpus, ...place, '--job-size', '5');
    await bench.rows('ALTER TABLE dropped RENAME COLUMN vector TO other');
    await expectError(['run', ...place, '--drain'], 1, /^BadValue --to: .*SQLSTATE 42703/m);
    await bench.rows('ALTER TABLE dropped RENAME COLUMN other TO vector');
    const run = await ambryWorker('run', ...place, '--drain', '--json');
    expect(parsed(run)).toEqual({ written: 10 });
  });
});

test('a queue and a table take the vectors of one model only', async () => {
  const corpus = bench.corpus('models', 10);
  await ambryWorker('enqueue', corpus, ...bench.place('models'));
  const other = ['--model', otherModel, '--to', bench.postgres.url];
  const queue = ['run', ...bench.queue('models'), ...other, '--table', 'fresh'];
  await expectError(queue, 1, /Mismatch --model: The queue "models" has jobs for another model/);
  const table = ['enqueue', corpus, ...bench.queue('fresh'), ...other, '--table', 'models'];
  await expectError(table, 1, /Mismatch --model: "models" has vectors of another model/);
});

describe('a folder of Parquet files', () => {
  test('takes one corpus, in jobs of one size', async () => {
    const folder = join(bench.folder, 'one-corpus');
    const place = [...bench.queue('folder'), '--model', model, '--to', folder];
    const corpus = bench.corpus('folder', 10);
    expect((await ambryWorker('enqueue', corpus, ...place)).code).toBe(0);
    const again = ['enqueue', corpus, ...place, '--job-size', '3'];
    await expectError(again, 1, /^Mismatch --to: .*Give another folder/);
    const other = ['enqueue', bench.corpus('other', 11), ...place];
    await expectError(other, 1, /^Mismatch --to: .*Give another folder/);
  });

  test('that cannot be made is named', async () => {
    writeFileSync(join(bench.folder, 'a-file'), '');
    const to = join(bench.folder, 'a-file', 'folder');
    const args = ['run', ...bench.queue('no-folder'), '--model', model, '--to', to];
    await expectError(args, 2, /^NotFound --to: Cannot write to .*a-file\/folder: ENOTDIR/);
  });
});

describe('a corpus', () => {
  const read = async (path: string) => {
    for await (const passage of readCorpus([path])) {
      expect(passage).toHaveProperty('key');
    }
  };

  test.each([
    ['not-json', '{"id": 1, "text": "one"}\nnot json', 'BadValue', /line 2 is not JSON/],
    ['no-id', '{"text": "one"}', 'BadValue', /line 1 needs an "id"/],
    ['no-text', '{"id": "a"}', 'BadValue', /line 1 needs a "text"/],
    ['half', '{"id": "\\ud800", "text": ""}', 'BadValue', /half a surrogate pair/],
    ['long', `{"id": "${'k'.repeat(3000)}", "text": ""}`, 'LimitExceeded', /at most 2000 bytes/],
    ['endless', ' '.repeat(9_000_000), 'LimitExceeded', /a line of more than 8000000 characters/],
  ])('%s is refused', async (name, content, code, message) => {
    const path = join(bench.folder, `${name}.jsonl`);
    writeFileSync(path, content);
    await expect(read(path)).rejects.toMatchObject({ code, message });
  });

  test('that cannot be read is named', async () => {
    const missing = join(bench.folder, 'missing.jsonl');
    await expectError(['enqueue', missing, ...bench.place('bad_corpus')], 2, /^NotFound: Cannot/);
    await expect(read(missing)).rejects.toMatchObject({ code: 'NotFound' });
    const folder = join(bench.folder, 'a-folder.jsonl');
    mkdirSync(folder);
    await expect(read(folder)).rejects.toMatchObject({ code: 'NotFound' });
  });
});

test('verify refuses a place that was never filled', async () => {
  const corpus = bench.corpus('never', 1);
  const table = [...bench.place('never')];
  await expectError(['verify', corpus, ...table], 2, /^NotFound --table: .*enqueue" first/);
  const folder = [...bench.queue('never'), '--model', model, '--to', `${bench.folder}/never`];
  await expectError(['verify', corpus, ...folder], 2, /^NotFound --to: .*enqueue" first/);
});
