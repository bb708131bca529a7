// Results as Markdown and CSV. Works without a page.

type Cell = string | number | boolean | null | undefined;
export type Row = Readonly<Record<string, Cell>>;

const shown = (cell: Cell): string => (cell === null || cell === undefined ? '' : String(cell));

/** The columns of all rows, in the order in which they come. */
const columnsOf = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

/** Spreadsheets run a text that begins so as a formula. An apostrophe makes it a text again. */
const formulaStart = /^[=+\-@\t\r]/;

function csvCell(cell: Cell): string {
  const text = shown(cell);
  const safe = typeof cell === 'string' && formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** As RFC 4180 says, with a line of names first. */
export function csvOf(rows: readonly Row[]): string {
  const columns = columnsOf(rows);
  const lines = rows.map((row) => columns.map((column) => csvCell(row[column])));
  return [columns.map(csvCell), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** Escapes characters that have a meaning in Markdown. */
export function escapedMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&')
    .replace(/^(\s*)([-+=])/gm, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/gm, '$1\\$2');
}

const markdownCell = (cell: Cell): string =>
  typeof cell === 'number'
    ? shown(cell)
    : escapedMarkdown(shown(cell)).replace(/\s*[\r\n]+\s*/g, ' ');

/** A table below a title. */
export function markdownOf(title: string, rows: readonly Row[]): string {
  const columns = columnsOf(rows);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const rule = columns.map((column) => (typeof rows[0]?.[column] === 'number' ? '--:' : '---'));
  const head = line(columns.map(markdownCell)) + line(rule);
  const body = rows.map((row) => line(columns.map((column) => markdownCell(row[column]))));
  return `## ${escapedMarkdown(title).replace(/\s+/g, ' ')}\n\n${head}${body.join('')}`;
}
