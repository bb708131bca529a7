// `ambry chat`: messages in, answers out, a line each.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { folderForAllTests } from '../../support/for-all-tests.ts';
import { languageFile } from '../../support/language-file.ts';
import { ambryCli } from '../../support/shared-cli.ts';

const folder = folderForAllTests('ambry');
let file: string;
beforeAll(async () => {
  file = join(folder, 'small.amb');
  await writeFile(file, languageFile({ context: 256 }));
});

const greedy = ['--temperature', '0', '--max-tokens', '8'];

interface Line {
  readonly message: string;
  readonly text: string;
  readonly promptIds: readonly number[];
  readonly ids: readonly number[];
  readonly usage: { readonly reusedTokens: number };
}

async function talk(input: string, ...args: readonly string[]): Promise<readonly Line[]> {
  const run = await ambryCli(['chat', file, ...greedy, ...args, '--json'], input);
  expect(run.err).toBe('');
  expect(run.code).toBe(0);
  return run.json() as readonly Line[];
}

describe('ambry chat', () => {
  test('answers each line, and computes only what is new', async () => {
    const lines = await talk('One?\n\nTwo?\n', '--system', 'Be brief.');
    expect(lines.map(({ message }) => message)).toEqual(['One?', 'Two?']);
    const [first, second] = lines;
    expect(first?.usage.reusedTokens).toBe(0);
    expect(second?.usage.reusedTokens).toBeGreaterThanOrEqual(first?.promptIds.length ?? Infinity);
  });

  test('prints the answers as texts', async () => {
    const lines = await talk('One?\nTwo?\n');
    const run = await ambryCli(['chat', file, ...greedy], 'One?\nTwo?');
    expect(run).toMatchObject({ code: 0, err: '' });
    expect(run.out).toBe(lines.map(({ text }) => `${text}\n`).join(''));
  });

  test('takes a template by its file or its name', async () => {
    const template = join(folder, 'short.jinja');
    await writeFile(template, 'Q: {{ messages[-1].content }}');
    const [own] = await talk('One?\n', '--template', 'default');
    const [other] = await talk('One?\n', '--template', template);
    expect(own?.promptIds).toEqual((await talk('One?\n'))[0]?.promptIds);
    expect(other?.promptIds).toHaveLength('Q: One?'.length);
    const missing = await ambryCli(['chat', file, '--template', 'tool_use'], 'One?\n');
    expect(missing.code).not.toBe(0);
    expect(missing.err).toContain('tool_use');
  });

  test('/again answers the last message anew, and /exit ends', async () => {
    const [first, again, ...more] = await talk('/again\nOne?\n/again\n/exit\nTwo?\n');
    expect(again?.message).toBe('One?');
    expect(again?.ids).toEqual(first?.ids);
    expect(again?.usage.reusedTokens).toBe((first?.promptIds.length ?? 0) - 1);
    expect(more).toEqual([]);
  });

  test('drops the oldest turns when the context is full', async () => {
    const lines = await talk(`${'x'.repeat(40)}\n`.repeat(8));
    expect(lines).toHaveLength(8);
  });

  test('ends with an error', async () => {
    const run = await ambryCli(['chat', file, ...greedy, '--json'], 'x'.repeat(300));
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject([{ error: { code: 'LimitExceeded', path: 'prompt' } }]);
  });
});
