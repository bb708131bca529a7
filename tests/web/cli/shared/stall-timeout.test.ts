// `--stall-timeout`: every command that fetches a URL takes it.
import { writeFile } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { commandGroups, loadCommand } from '../../../../web/src/cli/commands.ts';
import { parseStallTimeout } from '../../../../web/src/cli/shared/common-options.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { ByteServer } from '../../support/servers/byte-server.ts';

const { at } = await cliFolder();
const silent = await ByteServer.start(() => {});
afterAll(() => silent.close());
const url = `${silent.origin}/model`;
await writeFile(at('words.txt'), 'one\n');
await writeFile(at('labels.txt'), '__label__a one\n__label__b two\n');

/** Arguments after which each command waits for the server. */
const lines: Readonly<Record<string, readonly string[]>> = {
  inspect: [url],
  validate: [url],
  metadata: [url],
  pull: [url, '--cache', at('cache')],
  convert: [url, at('out.weights')],
  quantize: [url, at('out.weights'), '--type', 'int8'],
  tokenize: [url, '--text', 'x'],
  detokenize: [url, '1'],
  embed: [url, '--text', 'x'],
  index: [url, at('words.txt'), at('out.ambryindex')],
  search: [url, 'x'],
  similar: [url, 'x'],
  analogy: [url, 'a', 'b', 'c'],
  'compute-accuracy': [url, at('words.txt')],
  select: [url, at('out.fifu'), at('words.txt')],
  reconstruct: [url, at('out.fifu')],
  'bucket-to-explicit': [url, at('out.fifu')],
  generate: [url, '--prompt', 'x'],
  chat: [url],
  decide: [url, 'x', '--ask', 'y'],
  perplexity: [url, '--text', 'x'],
  classify: [url, at('words.txt')],
  tag: [url, 'x'],
  redact: [url, at('words.txt')],
  'train-classifier': [url, at('labels.txt'), at('out.safetensors')],
  rank: [url, 'x', '--text', 'y'],
  answer: [url, 'x', '--context', 'y'],
  fill: [url, 'x'],
  distill: [url, at('out.weights')],
  serve: [url, '--port', '0'],
  mcp: [url],
  doctor: [url],
};

test('every command that opens a file takes it', async () => {
  const names = commandGroups.flatMap(({ commands }) => Object.keys(commands));
  const others = names.filter((name) => !(name in lines));
  // The workers have options of their own, and a site's model is a file.
  expect(others.sort()).toEqual(['cache', 'completions', 'demo', 'site-index', 'worker']);
  for (const name of names) {
    const options = (await loadCommand(name))?.options ?? {};
    expect('stall-timeout' in options, name).toBe(name in lines);
  }
});

/** `ambry mcp` goes on with what else it offers: packages/mcp/tests has what it says. */
const ending = Object.entries(lines).filter(([name]) => name !== 'mcp');

describe('a silent server ends', () => {
  test.each(ending)('%s', async (name, args) => {
    const { code, out, err } = await ambryCli([name, ...args, '--stall-timeout', '0.2']);
    expect(`${out}${err}`).toContain('nothing came for 0.2 s');
    expect(code).toBe(name === 'doctor' ? 1 : 2);
  });
});

describe('a silent hub ends', () => {
  const named = ending.filter(([name]) => name !== 'doctor');
  test.each(named)('%s', async (name, args) => {
    const own = args.map((argument) => (argument === url ? 'hf:owner/name' : argument));
    const how = ['--endpoint', silent.origin, '--stall-timeout', '0.2'];
    const { code, out, err } = await ambryCli([name, ...own, ...how]);
    expect(`${out}${err}`).toContain(`${silent.origin}/api/models/owner/name/revision/main`);
    expect(`${out}${err}`).toContain('nothing came for 0.2 s');
    expect(code).toBe(2);
  });
});

test('takes seconds, and 0 for no limit', async () => {
  expect(parseStallTimeout({})).toEqual({});
  expect(parseStallTimeout({ 'stall-timeout': '1.5' })).toEqual({ stallTimeout: 1500 });
  const never = { stallTimeout: Number.POSITIVE_INFINITY };
  expect(parseStallTimeout({ 'stall-timeout': '0' })).toEqual(never);
  for (const bad of ['-1', 'x', '']) {
    const { code, json } = await ambryCli(['inspect', url, `--stall-timeout=${bad}`, '--json']);
    expect(code).toBe(2);
    expect(json()).toMatchObject([{ error: { code: 'BadValue', path: '--stall-timeout' } }]);
  }
});
