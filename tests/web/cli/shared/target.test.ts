// Targets that are no plain files, and targets that are read: real pipes, devices, links and processes.
import { execFileSync } from 'node:child_process';
import { createReadStream, openSync, statSync } from 'node:fs';
import { link, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { ambryCli, runWithStreams } from '../../support/cli/cli.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import * as shared from '../../support/cli/shared-cli.ts';

const { folder, at, model, file } = await cliFolder();

interface Streams {
  readonly stdin?: number | 'ignore';
  readonly stdout?: number | 'pipe';
  readonly more?: number;
}

const run = (args: readonly string[], { stdin, stdout, more }: Streams = {}) =>
  runWithStreams(args, [
    stdin ?? 'ignore',
    stdout ?? 'ignore',
    'pipe',
    ...(more === undefined ? [] : [more]),
  ]);

function fifo(name: string): string {
  execFileSync('mkfifo', [at(name)]);
  return at(name);
}

const embd = ['--to', 'embd'];

describe('a target that is a stream', () => {
  test('a device stays one', async () => {
    for (const args of [
      ['convert', model, '/dev/null'],
      ['metadata', model, '/dev/null'],
      ['embed', model, '--text', 'x', '--npy', '/dev/null'],
    ]) {
      expect(await run(args)).toMatchObject({ code: 0, err: '' });
      expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    }
  });

  test('a full device is an error with a reason: 1', async () => {
    const { code, err } = await run(['convert', model, '/dev/full']);
    expect(code).toBe(1);
    expect(err).toMatch(/^ambry: LimitExceeded: Cannot write \/dev\/full: ENOSPC[^\n]*\n$/);
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  });

  test('a named pipe gets the bytes in order, and stays one', async () => {
    const pipe = fifo('pipe');
    const read = buffer(createReadStream(pipe));
    expect(await run(['convert', model, pipe, ...embd])).toMatchObject({ code: 0 });
    expect(Buffer.compare(await read, file)).toBe(0);
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  test('quantize compares the models though a pipe cannot be read back', async () => {
    const pipe = fifo('quantized');
    const read = buffer(createReadStream(pipe));
    const { code, out } = await ambryCli(['quantize', model, pipe, '--type', 'int8', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ agreement: { kind: 'embeddings' } });
    expect((await read).length).toBeGreaterThan(0);
  });

  test('the reader of a pipe hears of a failed job by its end', async () => {
    const pipe = fifo('failed');
    const read = buffer(createReadStream(pipe));
    expect((await run(['convert', model, pipe, '--to', 'alt'])).code).toBe(1);
    expect((await read).length).toBe(0);
  });

  test('a reader that leaves early is an error: 1', async () => {
    const pipe = fifo('left');
    // More than a pipe holds.
    const words = Array.from({ length: 20_000 }, (_, i) => `word${i} 1 2 3\n`);
    await writeFile(at('words.txt'), words.join(''));
    const reader = createReadStream(pipe, { highWaterMark: 10 });
    reader.once('data', () => reader.destroy());
    const args = ['convert', at('words.txt'), pipe, '--from', 'text', '--to', 'word2vec'];
    const { code, err } = await run(args);
    expect([code, err]).toEqual([
      1,
      `ambry: BadValue: Cannot write ${pipe}: its reader has closed it.\n`,
    ]);
  });

  test('all names of standard output are the same, and nothing is printed among the bytes', async () => {
    for (const name of ['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']) {
      const { code, stdout } = await ambryCli(['convert', model, name, ...embd]);
      expect(code).toBe(0);
      expect(Buffer.compare(stdout, file)).toBe(0);
      const target = openSync(at('redirected'), 'w');
      expect((await run(['convert', model, name, ...embd], { stdout: target })).code).toBe(0);
      expect(Buffer.compare(await readFile(at('redirected')), file)).toBe(0);
    }
  });

  test('an open file is written from its end', async () => {
    await writeFile(at('more'), 'before');
    const more = openSync(at('more'), 'a');
    expect((await run(['convert', model, '/dev/fd/3', ...embd], { more })).code).toBe(0);
    expect(
      Buffer.compare(await readFile(at('more')), Buffer.from([...Buffer.from('before'), ...file])),
    ).toBe(0);
  });

  test('an index cannot be updated there: 2', async () => {
    const args = ['index', model, at('tiny/vocab.txt'), fifo('index'), '--update'];
    expect((await shared.ambryCli(args)).code).toBe(2);
  });
});

describe('a target that is read', () => {
  test.each([
    ['convert', model, model],
    ['convert', model, at('link.weights')],
    ['convert', model, at('hard.weights')],
    ['convert', at('link.weights'), model],
    ['convert', at('tiny'), at('tiny/config.json'), '--to', 'embd'],
    ['convert', at('tiny'), at('out'), '--metadata', at('out')],
    ['quantize', model, model, '--type', 'int8'],
    ['select', model, at('out'), at('out')],
    ['metadata', model, model],
    ['embed', model, '--text', 'x', '--npy', model],
    ['index', model, at('tiny/vocab.txt'), at('tiny/vocab.txt')],
    ['index', model, at('tiny/vocab.txt'), model],
  ])('%s %s %s is refused: 2', async (...args) => {
    await symlink(model, at('link.weights')).catch(() => {});
    await link(model, at('hard.weights')).catch(() => {});
    await writeFile(at('out'), '{}');
    const { code, err } = await shared.ambryCli(args);
    expect(code).toBe(2);
    expect(err).toMatch(/would replace the file that is read/);
    expect(Buffer.compare(await readFile(model), file)).toBe(0);
  });

  test('standard input counts as a file that is read', async () => {
    const stdin = openSync(model, 'r');
    const { code, err } = await run(['convert', '-', model], { stdin });
    expect(code).toBe(2);
    expect(err).toMatch(/is read: standard input/);
  });

  test('--force replaces it', async () => {
    await writeFile(at('own.weights'), file);
    const args = ['convert', at('own.weights'), at('own.weights'), '--dtype', 'f16', '--force'];
    expect((await run(args)).code).toBe(0);
    expect((await readFile(at('own.weights'))).length).toBeLessThan(file.length);
  });
});

test('nothing is left behind', async () => {
  expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
});
