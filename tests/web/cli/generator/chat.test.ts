// `ambry chat`: messages in, answers out, a line each.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { languageFile } from '../../support/files/language-file.ts';
import { folderForAllTests } from '../../support/for-all-tests.ts';

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

  test('goes on with the conversation of a journal, in the middle of an answer, too', async () => {
    const journal = join(folder, 'chat.journal');
    const [one, two] = await talk('One?\nTwo?\n', '--journal', journal);
    const lines = (await readFile(journal, 'utf8')).split('\n');
    const last = lines.findLastIndex((line) => line.startsWith('{"send"'));
    // The process ended while it wrote the third token.
    const ids = JSON.stringify({ ids: two?.ids.slice(0, 2) });
    await writeFile(journal, [...lines.slice(0, last + 1), ids, '{"ids":[7'].join('\n'));
    const [resumed, three] = await talk('Three?\n', '--journal', journal);
    expect(resumed).toMatchObject({ message: 'Two?', ids: two?.ids, text: two?.text });
    const together = await talk('One?\nTwo?\nThree?\n');
    expect([one, two, three].map((line) => line?.ids)).toEqual(together.map((line) => line.ids));
    const damaged = await ambryCli(['chat', file, '--journal', file], 'One?\n');
    expect(damaged).toMatchObject({ code: 1, out: '' });
    expect(damaged.err).toContain('not the journal of a session');
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
