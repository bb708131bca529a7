// `ambry generate --chat` with files whose chat templates are made to do harm.
import { readdir, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { languageFile } from '../../support/files/language-file.ts';

const { folder, at } = await cliFolder();

const loop = (body: string) => `{% for n in range(100000) %}${body}{% endfor %}`;
const calls = "{{ ''.constructor.constructor('return process')().exit(0) }}";

const templates: Readonly<Record<string, readonly [template: string, code: string]>> = {
  'loops without an end': [loop(loop(loop('x'))), 'LimitExceeded'],
  'macros that call themselves': [
    '{% macro f(n) %}{{ f(n + 1) }}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}',
    'LimitExceeded',
  ],
  'a text that doubles': [
    "{% set t = namespace(x='a') %}{% for i in range(99) %}{% set t.x = t.x ~ t.x %}{% endfor %}",
    'LimitExceeded',
  ],
  'a prompt longer than any context': [loop('{{ messages }}{{ messages }}'), 'LimitExceeded'],
  'a call of JavaScript': [calls, 'BadValue'],
  'a template that does not parse': ['{% for %}', 'BadValue'],
  'an exception': ["{{ raise_exception('no chat') }}", 'BadValue'],
};

describe('generate --chat', () => {
  test.each(Object.entries(templates))(
    'ends %s with an error: 1',
    async (name, [template, code]) => {
      const model = at(`${name.replaceAll(' ', '-')}.amb`);
      await writeFile(model, languageFile({ template }));
      const args = ['generate', model, '--chat', '--prompt', 'Hello'];
      // Both forms of output, at the same time.
      const [plain, json] = await Promise.all([ambryCli(args), ambryCli([...args, '--json'])]);
      expect([plain.code, plain.out]).toEqual([1, '']);
      expect(plain.err).toMatch(new RegExp(`^ambry: ${code} chatTemplate: [^\\n]*\\n$`));
      expect(plain.err.length).toBeLessThan(500);
      expect(json.code).toBe(1);
      expect(json.json()).toEqual([
        { error: expect.objectContaining({ code, path: 'chatTemplate' }) },
      ]);
    },
    30_000,
  );

  test('a file with such a template is still inspected, and continues a text', async () => {
    const model = at('loops-without-an-end.amb');
    expect((await ambryCli(['validate', model])).code).toBe(0);
    const args = ['generate', model, '--prompt', 'Hello', '--max-tokens', '2'];
    expect((await ambryCli(args)).code).toBe(0);
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});
