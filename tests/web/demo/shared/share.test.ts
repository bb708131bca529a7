// Results as Markdown, CSV and JSON, and the programs of “Use this in your page”. e2e/every-page/snippets.spec.ts runs the programs.
import { execFileSync } from 'node:child_process';
import { describe, expect, it, test } from 'vitest';
import { jsonOf } from '../../../../web/demo/shared/base/json-text.ts';
import {
  checkSnippet,
  commandSnippet,
  lookupSnippet,
  searchSnippet,
} from '../../../../web/demo/shared/share/snippets.ts';
import { csvOf, markdownOf } from '../../../../web/demo/shared/share/table-texts.ts';

describe('CSV', () => {
  it('quotes as RFC 4180 says', () => {
    const rows = [
      { name: 'a "b", c', n: -1.5 },
      { name: 'two\nlines', n: null, more: true },
    ];
    expect(csvOf(rows)).toBe('name,n,more\r\n"a ""b"", c",-1.5,\r\n"two\nlines",,true\r\n');
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('runs no formula: %j', (text) => {
    const [, line] = csvOf([{ cell: text }]).split('\r\n', 2);
    expect(line?.replace(/^"/, '').startsWith("'")).toBe(true);
  });

  it('leaves numbers as they are, and is empty without rows', () => {
    expect(csvOf([{ n: -2 }])).toBe('n\r\n-2\r\n');
    expect(csvOf([])).toBe('\r\n');
  });
});

describe('Markdown', () => {
  it('is a table whose cells break nothing', () => {
    const text = markdownOf('A | *title*', [{ word: 'a|b\n`c`', score: 0.5 }]);
    expect(text).toBe(
      '## A \\| \\*title\\*\n\n| word | score |\n| --- | --: |\n| a\\|b \\`c\\` | 0.5 |\n',
    );
  });
});

it('JSON ends with a line break', () => {
  expect(jsonOf({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}\n');
});

describe('programs', () => {
  const model = { address: './it\'s "mine".weights' };

  it('hold texts of any kind', () => {
    const odd = 'a "quote", a `tick`, $(x), \\, \u2028 and </script>';
    const { code } = searchSnippet(model, [odd], odd, { k: 8 });
    expect(code).not.toContain('</script');
    const literals = code.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    expect(literals.map((text) => JSON.parse(text))).toEqual([model.address, odd, odd]);
  });

  it('have the options that are set', () => {
    expect(lookupSnippet(model, 'x', { k: 10, metric: undefined }).code).toContain(
      'model.similar("x", { k: 10 })',
    );
    expect(checkSnippet(model).code).toContain('validate(');
  });

  it('are safe for a shell', () => {
    const words = ["it's; rm -rf ~", '$(id)', '-x', 'plain/name.gguf', 'a b'];
    const { code } = commandSnippet('validate', ...words);
    const script = code.trim().replace('npx ambry validate', "printf '%s\\n'");
    const lines = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
    expect(lines).toEqual(words);
  });
});
