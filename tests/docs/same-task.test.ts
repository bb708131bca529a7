// The page that has the same tasks in several libraries: its numbers are those of its programs, and the programs are alike.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './support/code-blocks.ts';
import { countLines, page, programsOf, withTable } from './support/line-counts.ts';

const text = readFileSync(join(root, page), 'utf8');
const programs = programsOf(text);

test('the table has the lines of the programs', () => {
  expect(text, 'Run node tests/docs/count-lines.ts').toBe(withTable(text));
  expect(text).toMatch(/^\| lines \| Ambry \|/m);
});

test('every task is there for Ambry and three others', () => {
  const tasks = [...new Set(programs.map(({ task }) => task))];
  expect(tasks).toHaveLength(4);
  for (const task of tasks) {
    const libraries = programs.filter((each) => each.task === task).map((each) => each.library);
    expect(libraries).toContain('Ambry');
    expect(libraries.length).toBeGreaterThan(3);
    expect(new Set(libraries).size).toBe(libraries.length);
  }
});

test.each(programs)('$task with $library has whole lines of usual length', ({ code }) => {
  const lines = code.split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(lines.filter((line) => /;\s*\S/.test(line))).toEqual([]);
  expect(countLines(code)).toBeGreaterThan(3);
});

describe('a count', () => {
  test('leaves out empty lines and comments', () => {
    expect(countLines('// a\n\nb();\n  # c\n  d();\n')).toBe(2);
  });

  test('goes into the table of the page', () => {
    const small = '<!-- lines -->\n<!-- /lines -->\n## Do it, now\n### A\n```js\na();\nb();\n```\n';
    expect(withTable(small)).toContain(
      '| lines | A |\n|---|---|\n| [Do it, now](#do-it-now) | 2 |\n',
    );
  });
});
