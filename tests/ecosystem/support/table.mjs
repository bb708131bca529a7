// The table of the results, as Markdown.
import { readFileSync, writeFileSync } from 'node:fs';

const page = new URL('../../../docs/bundlers.md', import.meta.url);
const begin = '<!-- table: npm run ecosystem -- --write -->';
const end = '<!-- end of the table -->';

const head = ['| | version | works | needs |', '|---|---|---|---|'];

export const tableOf = (results) => [...head, ...results.map(lineOf)].join('\n');

function lineOf({ name, versions, problem, line, refusal }) {
  const works = refusal === undefined ? 'yes' : 'refuses, and says what to add';
  const needs = refusal ?? line;
  return `| ${name} | ${versions} | ${problem ? 'no' : works} | ${needs ? `\`${needs}\`` : 'nothing'} |`;
}

/** Puts the results into the table of the docs. Rows that were not tried this time keep theirs; one that never was says so. */
export function writeTable(results, rows) {
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(begin);
  const [table, after] = rest?.split(end) ?? [];
  if (after === undefined) {
    throw new Error(`docs/bundlers.md has no lines ${begin} and ${end}.`);
  }
  const tried = new Map(results.map((result) => [result.name, lineOf(result)]));
  const known = new Map(table.split('\n').map((line) => [line.split(' | ')[0].slice(2), line]));
  const lines = rows.map(
    ({ name }) => tried.get(name) ?? known.get(name) ?? `| ${name} | | not tried | |`,
  );
  writeFileSync(page, `${before}${begin}\n\n${[...head, ...lines].join('\n')}\n\n${end}${after}`);
}
