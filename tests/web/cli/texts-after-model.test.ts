// Texts where people write them first: after the model, or piped to the command.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { cliFolder } from '../support/cli/cli-folder.ts';
import { ambryCli } from '../support/cli/shared-cli.ts';

const { model } = await cliFolder();
const stories = fileURLToPath(
  new URL('../../../web/demo/public/models/stories.amb', import.meta.url),
);
const short = ['--max-tokens', '5', '--temperature', '0'];

/** A command, its model, its options, and the option that names a text. */
const commands: readonly (readonly [string, string, readonly string[], string])[] = [
  ['generate', stories, short, '--prompt'],
  ['perplexity', stories, [], '--text'],
  ['embed', model, ['--json'], '--text'],
  ['tokenize', model, ['--json'], '--text'],
];

test.each(commands)('%s takes its text in three places', async (name, file, more, option) => {
  const named = await ambryCli([name, file, option, 'the water', ...more]);
  expect(named).toMatchObject({ code: 0, err: '' });
  expect(named.out.trim()).not.toBe('');
  const after = await ambryCli([name, file, 'the water', ...more]);
  expect(after).toMatchObject({ code: 0, out: named.out });
  const piped = await ambryCli([name, file, ...more], 'the water');
  expect(piped).toMatchObject({ code: 0, out: named.out });
});

test.each(['embed', 'tokenize'])('%s takes several texts, and piped lines', async (name) => {
  const named = await ambryCli([name, model, '--text', 'one', '--text', 'two']);
  expect(named.out.trimEnd().split('\n')).toHaveLength(2);
  const after = await ambryCli([name, model, 'one', 'two']);
  const mixed = await ambryCli([name, model, 'one', '--text', 'two']);
  const piped = await ambryCli([name, model], 'one\ntwo\n');
  expect([after.out, mixed.out, piped.out]).toEqual([named.out, named.out, named.out]);
});

test.each(commands)('%s without a text says where to write it', async (name, file) => {
  const run = await ambryCli([name, file]);
  expect(run.code).toBe(2);
  expect(run.err).toMatch(/^ambry: BadValue --\w+: No \w+ was given\. Write it after the model/);
});

test.each([
  [['generate', stories, 'a', '--prompt', 'b'], 'not both'],
  [['generate', stories, 'a', '--batch', '-'], 'not both'],
  [['generate', stories, 'a', 'b'], '3 arguments given'],
  [['perplexity', stories, 'a', '--text', 'b'], 'one text'],
  [['perplexity', stories, 'a', '--file', 'b'], 'one text'],
  [['embed', '-'], 'cannot both be standard input'],
  [['embed', model, 'a', '--jsonl'], '--jsonl cannot be used with'],
])('%j is refused', async (args, message) => {
  const run = await ambryCli(args, 'piped');
  expect(run.code).toBe(2);
  expect(run.err).toContain(message);
});
