// The table of the results, as Markdown.
import { readFileSync, writeFileSync } from 'node:fs';

const page = new URL('../../../docs/bundlers.md', import.meta.url);
const begin = '<!-- table: npm run ecosystem -- --write -->';
const end = '<!-- end of the table -->';

export function tableOf(results) {
  const lines = results.map(({ name, versions, problem, line, refusal }) => {
    const needs = line === undefined ? 'nothing' : `\`${line}\``;
    const works = refusal === undefined ? 'yes' : 'refuses, and says what to add';
    return `| ${name} | ${versions} | ${problem ? 'no' : works} | ${refusal ? `\`${refusal}\`` : needs} |`;
  });
  return ['| | version | works | needs |', '|---|---|---|---|', ...lines].join('\n');
}

/** Puts the table into the docs. A part of the rows would remove the others. */
export function writeTable(results, rows) {
  if (results.length !== rows.length)
    throw new Error('Write the table of all rows, not of a part.');
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`docs/bundlers.md has no lines ${begin} and ${end}.`);
  writeFileSync(page, `${before}${begin}\n\n${tableOf(results)}\n\n${end}${after}`);
}
