// `--json` of every command: one JSON value with the fields that the command's help states, also for errors.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandNames, loadCommand } from '../../../web/src/cli/commands.ts';
import { cliArgs } from '../support/cli/cli.ts';
import { cliFolder } from '../support/cli/cli-folder.ts';
import { ambryCli } from '../support/cli/shared-cli.ts';
import { headDirectory } from '../support/directories/head-directories.ts';
import { taggerDirectory } from '../support/directories/tagger-directories.ts';
import { maskDirectory, questionDirectory } from '../support/directories/token-head-directories.ts';
import { languageFile } from '../support/files/language-file.ts';
import { networkFile, networkPlan } from '../support/files/network-file.ts';
import { unitRow, wordFile } from '../support/files/word-files.ts';
import { ambry } from '../support/package.ts';
import { ByteServer, contentOf } from '../support/servers/byte-server.ts';

const { at, model, file } = await cliFolder();
const server = await ByteServer.start();
server.serve('model.weights', { content: contentOf(file), etag: '"one"' });
afterAll(() => server.close());

const words = ['east', 'north', 'west', 'south'];
/** Arguments with which each command does its work. Those of the first rows make files for later ones. */
const lines: Readonly<Record<string, readonly string[]>> = {
  index: ['index', model, at('docs'), at('docs.ambryindex')],
  inspect: ['inspect', model],
  validate: ['validate', model],
  convert: ['convert', model, at('copy.weights')],
  quantize: ['quantize', model, at('small.weights'), '--type', 'int8'],
  metadata: ['metadata', model],
  pull: ['pull', `${server.origin}/model.weights`, '--cache', at('cache')],
  cache: ['cache', 'list', '--cache', at('cache')],
  tokenize: ['tokenize', model, '--text', 'cat'],
  detokenize: ['detokenize', model, '2', '3'],
  embed: ['embed', model, '--text', 'cat'],
  distill: ['distill', model, at('static.weights')],
  rank: ['rank', at('reranker.weights'), 'cat', '--text', 'dog'],
  answer: ['answer', at('reader.weights'), 'a cat?', '--context', 'the cat sat'],
  fill: ['fill', at('filler.weights'), 'the [MASK] sat'],
  search: ['search', at('docs.ambryindex'), 'cat'],
  'site-index': [
    'site-index',
    at('site'),
    '--out',
    at('site/search'),
    '--model',
    at('static.weights'),
  ],
  similar: ['similar', at('words.fifu'), 'east'],
  analogy: ['analogy', at('words.fifu'), 'east', 'north', 'west'],
  'compute-accuracy': ['compute-accuracy', at('words.fifu'), at('questions.txt')],
  select: ['select', at('words.fifu'), at('few.fifu'), at('words.txt')],
  reconstruct: ['reconstruct', at('pq.fifu'), at('dense.fifu')],
  'bucket-to-explicit': ['bucket-to-explicit', at('buckets.fifu'), at('explicit.fifu')],
  generate: ['generate', at('small.amb'), '--prompt', 'a', '--max-tokens', '2'],
  chat: ['chat', at('small.amb'), '--max-tokens', '2'],
  decide: ['decide', at('deciding.amb'), 'a text', '--ask', 'odd'],
  perplexity: ['perplexity', at('small.amb'), '--text', 'a text'],
  classify: ['classify', at('net.bin'), at('input.f32'), '--plan', at('plan.json')],
  tag: ['tag', at('ner.weights'), 'the cat'],
  redact: ['redact', at('ner.weights'), at('docs/a.txt')],
  'train-classifier': ['train-classifier', model, at('examples.csv'), at('topics.safetensors')],
  doctor: ['doctor'],
  completions: ['completions', 'bash'],
};

/** What commands read from standard input. */
const inputs: Readonly<Record<string, string>> = { chat: 'a' };

/** Commands that run until a signal. */
const servers = ['demo', 'mcp', 'serve'];

/** Needs a queue and a database: tests/scale tries it. */
const scaled = ['worker'];

/** The fields in the first braces of the help: true for those that are always there. */
function fieldsIn(shape: string): Map<string, boolean> {
  const list = /\{([^}]*)\}/.exec(shape)?.[1] ?? '';
  return new Map(list.split(', ').map((name) => [name.replace('?', ''), !name.endsWith('?')]));
}

function expectShape(value: unknown, shape: string): void {
  const isList = /^[^{]*\[/.test(shape);
  expect(Array.isArray(value)).toBe(isList);
  const found = Object.keys((isList ? (value as object[])[0] : value) as object);
  const fields = fieldsIn(shape);
  expect([...fields.keys()]).toEqual(expect.arrayContaining(found));
  const required = [...fields].filter(([, isRequired]) => isRequired).map(([name]) => name);
  expect(found).toEqual(expect.arrayContaining(required));
}

async function shapeOf(name: string): Promise<string> {
  return (await loadCommand(name))?.json ?? '';
}

beforeAll(async () => {
  await mkdir(at('docs'));
  await writeFile(at('docs/a.txt'), 'the cat sat on the mat.');
  await mkdir(at('site'));
  await writeFile(at('examples.csv'), 'text,label\nthe cat,animal\nthe mat,thing\n');
  await writeFile(at('site/index.html'), '<title>Cats</title><p>the cat sat on the mat.');
  await writeFile(at('words.fifu'), wordFile({ words, dim: 4, row: (i) => unitRow(i, 4) }));
  const buckets = { words: ['one'], dim: 4, exponent: 2, row: (i: number) => unitRow(i, 4) };
  await writeFile(at('buckets.fifu'), wordFile(buckets));
  const codes = ['--type', 'pq', '--bits', '1', '--subquantizers', '2'];
  await ambryCli(['quantize', at('words.fifu'), at('pq.fifu'), ...codes]);
  await writeFile(at('questions.txt'), ': all\neast north west south\n');
  await writeFile(at('words.txt'), 'east\n');
  await writeFile(at('small.amb'), languageFile());
  await writeFile(at('deciding.amb'), languageFile({ context: 256 }));
  const reranker = await ambry.convert(headDirectory());
  await writeFile(at('reranker.weights'), new Uint8Array(await reranker.arrayBuffer()));
  await ambry.convert(taggerDirectory(), { output: at('ner.weights') });
  await ambry.convert(questionDirectory(), { output: at('reader.weights') });
  await ambry.convert(maskDirectory(), { head: 'fillMask', output: at('filler.weights') });
  await writeFile(at('net.bin'), networkFile());
  await writeFile(at('plan.json'), JSON.stringify(networkPlan));
  await writeFile(at('input.f32'), new Uint8Array(16 * 4));
});

test('every command is tried here', () => {
  expect([...Object.keys(lines), ...servers, ...scaled].sort()).toEqual(commandNames.toSorted());
});

describe('--json', () => {
  test.each(Object.entries(lines))('of %s prints what help states', async (name, args) => {
    const { code, json, err } = await ambryCli([...args, '--json'], inputs[name]);
    expect(code, err).toBe(0);
    expect(json()).toHaveLength(1);
    const shape = await shapeOf(name);
    // Metadata has the names of its file.
    if (name === 'metadata') {
      expect(json()[0]).toEqual(expect.any(Object));
    } else {
      expectShape(json()[0], shape);
    }
  });

  test.each([
    ['demo'],
    ['mcp', model, '--http'],
    ['serve', model],
  ])('of %s prints the address', async (name, ...args) => {
    const child = spawn(process.execPath, [...cliArgs, name, ...args, '--port', '0', '--json']);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const closed = once(child, 'close');
    child.kill();
    const printed = JSON.parse(line.toString()) as { url: string };
    expect(printed.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+(\/(mcp)?)?$/);
    expectShape(printed, await shapeOf(name));
    await closed;
  });

  test.each(commandNames)('of %s prints an error as JSON', async (name) => {
    const { code, json } = await ambryCli([name, '--json', '--bogus']);
    expect(code).toBe(2);
    expect(json()).toEqual([
      { error: expect.objectContaining({ code: 'BadValue', path: '--bogus' }) },
    ]);
  });

  test('of help and version prints documents', async () => {
    const [all] = (await ambryCli(['help', '--json'])).json() as [{ commands: { name: string }[] }];
    expect(all.commands.map(({ name }) => name)).toEqual(commandNames);
    expect((await ambryCli(['embed', '--help', '--json'])).json()).toMatchObject([
      { name: 'embed', usage: 'MODEL [TEXT...]', options: { dim: { type: 'string', value: 'N' } } },
    ]);
    const version = (await ambryCli(['-V'])).out.trim();
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect((await ambryCli(['--version', '--json'])).json()).toEqual([{ version }]);
  });
});
