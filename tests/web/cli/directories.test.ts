// Commands that take MODEL also take directories, and word vectors of any form.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliFolder } from '../support/cli/cli-folder.ts';
import { ambryCli } from '../support/cli/shared-cli.ts';
import { withDense } from '../support/directories/dense-modules.ts';
import { languageDirectory, onDisk, onServer } from '../support/directories/model-directories.ts';
import { languageFile } from '../support/files/language-file.ts';
import { modelDirectory } from '../support/fixtures.ts';

const { at, model } = await cliFolder();
const server = await onServer(modelDirectory());
afterAll(() => server.close());

beforeAll(async () => {
  for (const [name, bytes] of await languageDirectory()) {
    await mkdir(dirname(at(`language/${name}`)), { recursive: true });
    await writeFile(at(`language/${name}`), bytes);
  }
  await writeFile(at('language.amb'), languageFile());
  const rows = ['east 1 0 0', 'north 0 1 0', 'west -1 0 0', 'south 0 -1 0'];
  await writeFile(at('compass.vec'), `4 3\n${rows.join('\n')}\n`);
});

async function succeed(...args: string[]) {
  const run = await ambryCli(args);
  expect(run.code, run.err).toBe(0);
  return run;
}

test('embed takes a directory, by path and by address', async () => {
  const texts = ['--text', 'the cat sat'];
  const { out } = await succeed('embed', model, ...texts);
  for (const directory of [at('tiny'), at('tiny/model.safetensors'), server.url]) {
    const run = await succeed('embed', directory, ...texts);
    expect(run.out, directory).toBe(out);
    expect(run.err).toContain('modules.json');
  }
});

test('embed prints sentences and tokens of a directory with Dense', async () => {
  const { path, remove } = await onDisk(withDense(modelDirectory()));
  const lengthOf = (row: string) => row.split(' ').length;
  const { out } = await succeed('embed', path, '--text', 'the cat sat');
  expect(out.trim().split('\n').map(lengthOf)).toEqual([8]);
  const tokens = await succeed('embed', path, '--text', 'the cat sat', '--pooling', 'none');
  expect(tokens.out.trim().split('\n').map(lengthOf)).toEqual([32, 32, 32, 32, 32]);
  await remove();
});

test('validate takes a directory, by path and by address, and exits as for a file', async () => {
  for (const directory of [at('tiny'), server.url]) {
    const { out } = await succeed('validate', directory);
    expect(out).toContain(`${directory}: valid, safetensors`);
  }
  const files = modelDirectory();
  const tensors = files.get('model.safetensors') as Uint8Array<ArrayBuffer>;
  const { path, remove } = await onDisk(files.set('model.safetensors', tensors.slice(0, -4)));
  const { code, json } = await ambryCli(['validate', path, '--json']);
  expect(code).toBe(1);
  expect(json()).toMatchObject([{ file: path, valid: false, errors: [{ code: 'Truncated' }] }]);
  await remove();
});

test('index takes a directory, and search finds it again', async () => {
  await writeFile(at('notes.txt'), 'the cat sat on the mat\n\na dog ran home\n');
  await succeed('index', at('tiny'), at('notes.txt'), at('notes.ambryidx'));
  const { out } = await succeed('search', at('notes.ambryidx'), 'the cat', '-k', '1');
  expect(out).toContain('cat');
});

test('perplexity takes a language model’s directory', async () => {
  const run = await ambryCli(['perplexity', at('language'), '--text', 'hi']);
  // The directory has no tokenizer, so texts cannot be read. Its weights were.
  expect(run.code).toBe(1);
  expect(run.err).toMatch(/tokenizer/);
});

test('similar and analogy take vectors as text, without a format', async () => {
  const { out } = await succeed('similar', at('compass.vec'), 'east', '-k', '3');
  expect(out).toBe('north\t0\nsouth\t0\nwest\t-1\n');
  const named = await succeed(
    'similar',
    at('compass.vec'),
    'east',
    '-k',
    '3',
    '--from',
    'textdims',
  );
  expect(named.out).toBe(out);
  const analogy = await succeed('analogy', at('compass.vec'), 'east', 'west', 'north', '-k', '1');
  expect(analogy.out).toMatch(/^south\t/);
});

test('similar and select take fastText’s files', async () => {
  const file = fileURLToPath(new URL('../../fixtures/fasttext/skipgram.bin', import.meta.url));
  const { out } = await succeed('similar', file, 'hausmaus', '-k', '2');
  expect(out.trim().split('\n')).toHaveLength(2);
  await writeFile(at('words.txt'), 'haus\nhausmaus\n');
  await succeed('select', file, at('two.txt'), at('words.txt'), '--to', 'text');
  const lines = (await readFile(at('two.txt'), 'utf8')).trim().split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['haus', 'hausmaus']);
});

test('a directory of another kind is named', async () => {
  const run = await ambryCli(['generate', at('tiny'), '--prompt', 'once']);
  expect(run.code).toBe(1);
  expect(run.err).toMatch(/holds a sentence encoder \(safetensors\)/);
});
