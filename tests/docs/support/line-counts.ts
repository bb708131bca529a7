// Counts the lines of the programs of docs/same-task.md, and makes the page's table of them.
import { blocksOf } from './code-blocks.ts';

export const page = 'docs/same-task.md';

/** The table stands between these. */
const table = /(?<=<!-- lines -->\n).*?(?=<!-- \/lines -->)/s;

export interface Program {
  readonly task: string;
  readonly library: string;
  readonly code: string;
}

/** The programs: a task is a heading of the second level, and a library one of the third. */
export function programsOf(text: string): Program[] {
  const lines = text.split('\n');
  const headingAbove = (line: number, mark: string) =>
    lines
      .slice(0, line)
      .findLast((each) => each.startsWith(mark))
      ?.slice(mark.length) ?? '';
  return blocksOf(page, text).map(({ line, code }) => ({
    task: headingAbove(line, '## '),
    library: headingAbove(line, '### '),
    code,
  }));
}

/** Lines that are neither empty nor a comment. */
export const countLines = (code: string): number =>
  code.split('\n').filter((line) => !/^\s*($|\/\/|#)/.test(line)).length;

/** The page with the table of its programs. */
export function withTable(text: string): string {
  const programs = programsOf(text);
  const unique = (names: readonly string[]) => [...new Set(names)];
  const tasks = unique(programs.map(({ task }) => task));
  const libraries = unique(programs.map(({ library }) => library));
  const cell = (task: string, library: string) => {
    const found = programs.find((each) => each.task === task && each.library === library);
    return found ? String(countLines(found.code)) : '–';
  };
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const made = [
    row(['lines', ...libraries]),
    `|${'---|'.repeat(libraries.length + 1)}\n`,
    ...tasks.map((task) => {
      const address = task
        .toLowerCase()
        .replace(/[^a-z -]/g, '')
        .replaceAll(' ', '-');
      const numbers = libraries.map((library) => cell(task, library));
      return row([`[${task}](#${address})`, ...numbers]);
    }),
  ].join('');
  return text.replace(table, made);
}
