// The examples in the help and in the documentation: every command line runs, in order, on the files that it names. They
// are the built-in models, or stand-ins for files that users have, or were made by a line before.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandGroups } from '../../../web/src/cli/commands.ts';
import { cliArgs } from '../support/cli.ts';
import { modelDirectory } from '../support/fixtures.ts';
import { headDirectory, nliLabels } from '../support/head-directories.ts';
import { ambry } from '../support/package.ts';
import { unitRow, wordFile } from '../support/word-files.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const models = join(root, 'web/demo/public/models');
const folder = await mkdtemp(join(tmpdir(), 'ambry-examples-'));
afterAll(() => rm(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

/** Sources with command lines: documentation that users read. */
const pages = ['README.md', ...markdownIn('docs'), ...markdownIn('web/demo/public/models')];

function markdownIn(room: string): string[] {
  const files = readdirSync(join(root, room)).filter((name) => name.endsWith('.md'));
  return files.map((name) => `${room}/${name}`);
}

/** The lines of the blocks that call the command line, without comments. */
function linesOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? '');
  return blocks
    .filter((block) => block.includes('npx ambry '))
    .flatMap((block) => block.trimEnd().split('\n'))
    .map((line) => line.replace(/\s+# .*$/, '').replaceAll('npx ambry ', 'ambry '));
}

/** Servers run until a signal (demo.test.ts, serve.test.ts), workers need a queue (tests/scale), and nothing outside this
 *  machine is asked. */
const isRun = (line: string) => !/^ambry (demo|serve|worker)|https:|hf:/.test(line);

async function examplesOfHelp(): Promise<string[]> {
  const loads = commandGroups.flatMap(({ commands }) => Object.values(commands));
  const commands = await Promise.all(loads.map((load) => load()));
  return commands.flatMap(({ command }) => command.examples).map((example) => `ambry ${example}`);
}

function run(line: string): void {
  const path = `${at('bin')}:${process.env.PATH}`;
  const options = { cwd: folder, env: { ...process.env, PATH: path }, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', line], options);
  expect(status, `${line}\n${stderr}`).toBe(0);
}

/** Files by the names that examples give to what users have. */
const texts: Readonly<Record<string, string>> = {
  'vocab.txt': '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n',
  'texts.txt': 'one text\nanother\n',
  'ids.txt': '2 40 3\n',
  'texts.jsonl': '{"text": "one"}\n',
  'passages.txt': 'Cats nap all day.\nDogs bark.\n',
  'questions.txt': 'what is a tide?\n',
  'queries.txt': 'man king woman\n',
  'questions-words.txt': ': family\nman king woman queen\n',
  'words.txt': 'Berlin\n',
  'story.txt': 'Once upon a time there was a cat.',
  'glove.txt': [1, 2, 3]
    .map((n) => `${['Berlin', 'Paris', 'Rome'][n - 1]}${` ${n}`.repeat(24)} 0\n`)
    .join(''),
};

async function writeDirectory(folder: string, files: ReadonlyMap<string, Uint8Array>) {
  for (const [name, bytes] of files) {
    mkdirSync(join(at(folder), name, '..'), { recursive: true });
    await writeFile(join(at(folder), name), bytes);
  }
}

beforeAll(async () => {
  mkdirSync(at('bin'));
  const program = [process.execPath, ...cliArgs].map((word) => `'${word}'`).join(' ');
  await writeFile(at('bin/ambry'), `#!/bin/sh\nexec ${program} "$@"\n`);
  chmodSync(at('bin/ambry'), 0o755);
  cpSync(models, at('node_modules/ambry/dist/site/models'), { recursive: true });
  cpSync(join(root, 'docs'), at('docs'), { recursive: true });
  await writeFile(at('docs/bread.txt'), 'Dough grows because yeast makes gas.');
  for (const [name, content] of Object.entries(texts)) await writeFile(at(name), content);
  for (const name of readdirSync(models).filter((file) => file.startsWith('digits'))) {
    copyFileSync(join(models, name), at(name));
    const other = name.replace('digits-vanilla', 'net').replace('digits-plan', 'net');
    copyFileSync(join(models, name), at(other.replace('digits', 'net')));
  }
  copyFileSync(join(root, 'tests/fixtures/digits/sheet.png'), at('digit.png'));
  copyFileSync(join(models, 'english-192x1.weights'), at('minilm.weights'));
  copyFileSync(join(models, 'books-96.fifu'), at('vectors-pq.fifu'));
  const fastText = join(root, 'tests/fixtures/fasttext');
  copyFileSync(join(fastText, 'skipgram.bin'), at('cc.en.300.bin'));
  copyFileSync(join(fastText, 'classifiers/quantized.ftz'), at('lid.176.ftz'));
  for (const name of ['stories', 'chat', 'odd']) {
    copyFileSync(join(models, 'stories.amb'), at(`${name}.amb`));
  }
  await ambry.convert({ path: at('stories.amb') }, { to: 'gguf', output: at('tinyllama.gguf') });
  mkdirSync(at('models'));
  copyFileSync(at('tinyllama.gguf'), at('models/tinyllama.gguf'));
  copyFileSync(at('minilm.weights'), at('models/english-192x1.weights'));
  await writeDirectory('all-MiniLM-L6-v2', modelDirectory());
  await writeDirectory('ms-marco-MiniLM-L6-v2', headDirectory());
  await ambry.convert(headDirectory(), { output: at('reranker.weights') });
  await ambry.convert(headDirectory({ labels: nliLabels }), { output: at('nli.weights') });
  // 256 codes need as many rows.
  const others = Array.from({ length: 300 }, (_, i) => `word${i}`);
  const words = ['Berlin', 'man', 'king', 'woman', 'queen', ...others];
  const made = wordFile({ words, dim: 4, row: (i) => unitRow(i, 4), exponent: 4 });
  await writeFile(at('vectors.fifu'), made);
});

describe('the examples of help', async () => {
  test.each((await examplesOfHelp()).filter(isRun))('%s', run);
});

describe.each(pages.filter((page) => linesOf(page).length > 0))('%s', (page) => {
  test.each(linesOf(page).filter(isRun))('%s', run);
});

test('the pages have command lines', () => {
  expect(linesOf('README.md').length).toBeGreaterThan(20);
});
