// `ambry generate` with a form for the answer.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { languageFile } from '../../support/files/language-file.ts';
import { folderForAllTests } from '../../support/for-all-tests.ts';

const folder = folderForAllTests('ambry');
let file: string;
beforeAll(async () => {
  file = join(folder, 'small.amb');
  await writeFile(file, languageFile({ context: 1024 }));
});

function generate(...args: readonly string[]) {
  return ambryCli(['generate', file, '--prompt', 'Hello', '--seed', '1', ...args]);
}

async function written(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe('ambry generate', () => {
  test('--choice gives one of the texts', async () => {
    const run = await generate('--choice', 'yes', '--choice', 'no');
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/^(yes|no)\n$/);
  });

  test('--schema gives JSON, and with --json its value', async () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { enum: [1, 'b', null] } } };
    const path = await written('schema.json', JSON.stringify(schema));
    const run = await generate('--schema', path, '--json');
    expect(run.code).toBe(0);
    const { text, parsed, stoppedBy } = run.json()[0] as {
      text: string;
      parsed: object;
      stoppedBy: string;
    };
    expect(stoppedBy).toBe('format');
    expect(parsed).toEqual(JSON.parse(text));
    expect([1, 'b', null]).toContain((parsed as { a: unknown }).a);
  });

  test('--regex and --grammar give what they describe', async () => {
    expect((await generate('--regex', '[a-c]{5}')).out).toMatch(/^[a-c]{5}\n$/);
    const path = await written('digits.gbnf', 'root ::= [0-9]{3} "!"');
    expect((await generate('--grammar', path)).out).toMatch(/^\d{3}!\n$/);
  });

  test('a form that cannot be fails with 1 and names the place', async () => {
    const path = await written('unique.json', '{"uniqueItems": true}');
    const run = await generate('--schema', path, '--json');
    expect(run.code).toBe(1);
    const error = { code: 'Unsupported', path: 'options.format.schema.uniqueItems' };
    expect(run.json()).toMatchObject([{ error }]);
  });

  test('two forms, and a schema that is not JSON, are bad usage', async () => {
    const two = await generate('--choice', 'a', '--regex', 'b', '--json');
    expect(two.code).toBe(2);
    expect(two.json()).toMatchObject([{ error: { code: 'BadValue', path: '--regex' } }]);
    const bad = await generate('--schema', await written('bad.json', '{'), '--json');
    expect(bad.code).toBe(2);
    expect(bad.json()).toMatchObject([{ error: { code: 'BadValue', path: '--schema' } }]);
  });
});
