// Standard streams that break: inputs that cannot be read, outputs that are full or closed.
import { openSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { runWithStreams as run } from '../../support/cli/cli.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { taggerDirectory } from '../../support/directories/tagger-directories.ts';
import { unitRow, wordFile } from '../../support/files/word-files.ts';
import { ambry } from '../../support/package.ts';

const { folder, at, model, file } = await cliFolder();

const words = at('words.fifu');
await writeFile(words, wordFile({ words: ['a', 'b'], dim: 4, row: (i) => unitRow(i, 4) }));
const names = at('ner.weights');
await ambry.convert(taggerDirectory(), { output: names });
await writeFile(at('numbers.f32'), new Uint8Array(64));

const readers = [
  ['inspect', '-'],
  ['validate', '-'],
  ['convert', '-', at('out.weights')],
  ['tokenize', '-', '--text', 'x'],
  ['embed', '-', '--text', 'x'],
  ['embed', model, '--file', '-'],
  ['embed', model, '--jsonl'],
  ['select', model, at('out.weights')],
  ['tag', names, '--file', '-'],
  ['redact', names],
  ['redact', names, '--jsonl', 'text'],
];

/** Commands that read a model, a text or lines from standard input. */
const broken = [
  ...readers,
  ['quantize', '-', at('out.weights'), '--type', 'int8'],
  ['inspect', '-', '--stats'],
  ['detokenize', model],
  ['index', model, '-', at('out.index')],
  ['similar', words],
  ['analogy', words],
  ['compute-accuracy', words],
  ['generate', '-', '--prompt', 'a'],
  ['classify', '-', at('numbers.f32')],
];

describe('standard input', () => {
  test.each(readers)('%s %s from a directory fails with 2', async (...args) => {
    const { code, err } = await run(args, [openSync(folder, 'r'), 'ignore', 'pipe']);
    expect(code).toBe(2);
    expect(err).toMatch(/NotFound: Standard input is a directory/);
  });

  test.each(readers)('%s %s from what can only be written fails with 2', async (...args) => {
    const { code, err } = await run(args, [openSync(at('written'), 'w'), 'ignore', 'pipe']);
    expect(code).toBe(2);
    expect(err).toMatch(/NotFound/);
    expect(err).not.toMatch(/Crashed|worker/);
  });

  test.each(broken)('%s %s that breaks in the middle fails with 2', async (command, ...args) => {
    const { code, err } = await runBroken([command, ...args]);
    expect(code, err).toBe(2);
    expect(err).toMatch(/^(ambry|-): NotFound[^\n]*ECONNRESET[^\n]*\n$/);
  });
});

/** Runs with a connection as standard input, which is reset after some bytes. */
async function runBroken(args: readonly string[]) {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as { port: number };
  const peer = new Promise<Socket>((resolve) => listener.once('connection', resolve));
  const own = createConnection(port, '127.0.0.1');
  await new Promise((resolve) => own.once('connect', resolve));
  const other = await peer;
  const ended = await run(args, [own, 'ignore', 'pipe'], () => {
    const isModel = args[1] === '-';
    other.write(isModel ? file.subarray(0, 1000) : '{"te', () =>
      setTimeout(() => other.resetAndDestroy(), 1000),
    );
  });
  own.destroy();
  listener.close();
  return ended;
}

/** The kernel answers its size, and fails to read it: it has no speed. */
const unreadableFile = '/sys/class/net/lo/speed';

const canTry = failsToRead(unreadableFile);
if (!canTry) {
  console.log(`${unreadableFile} can be read or is missing: no file fails to be read`);
}

describe.skipIf(!canTry)('a file whose reading fails', () => {
  test.each([
    ['inspect'],
    ['validate'],
    ['convert', at('out.weights')],
    ['tokenize', '--text', 'x'],
    ['similar', 'a'],
  ])('is an unreadable input of %s: 2', async (command, ...rest) => {
    const args = [command, unreadableFile, ...rest];
    const { code, err } = await run(args, ['ignore', 'ignore', 'pipe']);
    expect(code).toBe(2);
    expect(err).toContain(`NotFound source: Cannot read ${unreadableFile}: EINVAL`);
  });
});

function failsToRead(path: string): boolean {
  try {
    readFileSync(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EINVAL';
  }
}

describe('standard output', () => {
  test.each([
    ['help'],
    ['inspect', model],
    ['inspect', model, '--json'],
    ['inspect', at('none'), '--json'],
    ['convert', model, '-'],
    ['embed', model, '--text', 'x', '--npy', '-'],
  ])('%s %s to a full disk fails with one line: 1', async (...args) => {
    const { code, err } = await run(args, ['ignore', openSync('/dev/full', 'w'), 'pipe']);
    expect(code).toBe(1);
    expect(err).toMatch(/^ambry: LimitExceeded: Cannot write standard output: ENOSPC[^\n]*\n$/);
  });

  test('a reader that leaves ends the command quietly', async () => {
    const { code, err } = await run(['convert', model, '-'], ['ignore', 'pipe', 'pipe'], (child) =>
      child.stdout?.destroy(),
    );
    expect([code, err]).toEqual([0, '']);
  });

  test('messages that cannot be written change no exit code', async () => {
    const full = openSync('/dev/full', 'w');
    expect((await run(['inspect', at('none')], ['ignore', 'ignore', full])).code).toBe(2);
    expect((await run(['inspect', model], ['ignore', 'ignore', full])).code).toBe(0);
  });
});
