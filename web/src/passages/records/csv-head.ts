// Finds out how a table in CSV is written: where its header begins, and what parts its cells and its lines.

export interface CsvHead {
  /** The index of the header in the text. */
  readonly begin: number;
  readonly delimiter: string;
  /** Whether a carriage return ends a line by itself, as on old Macintoshes. */
  readonly endsInReturn: boolean;
  /** The lines before the header, without empty ones and without the hint. */
  readonly skipped: readonly string[];
}

const delimiters = [',', ';', '\t', '|'];
/** Stands for the delimiter of a table with one column. */
const noDelimiter = '\x1f';
/** What Excel writes and reads before a table: `sep=;`. Programs that save such a file again add delimiters. */
const hint = /^"?sep=(\\t|[^\s\p{L}\p{N}"]|\t)\1*"?[\s,;|]*$/iu;
/** The header is looked for in so many lines. */
const maxLines = 1024;
/** Longer lines are looked at in part. */
const maxLineUnits = 1 << 16;
/** A line above a table, such as its title, has fewer delimiters than the lines that follow. So many agree, if no empty line
 *  comes between them. */
const minAgreeing = 3;
/** Usual names of a column that is alone. Commas in the texts below it do not make a table. */
const loneColumn = /^"?(texts?|contents?|body|passages?|documents?|sentences?|descriptions?)"?$/i;

interface Line {
  readonly begin: number;
  readonly text: string;
}

/** `type` is `.csv` or `.tsv`. */
export function csvHead(text: string, type: string): CsvHead {
  const endsInReturn = isReturnFirst(text);
  const all = linesOf(text, endsInReturn ? /\r\n?|\n/g : /\r?\n/g);
  const isBlank = (line: Line) => /^[\s,;|"]*$/.test(line.text);
  const first = all.findIndex((line) => !isBlank(line));
  const asked = hint.exec(all[first]?.text ?? '')?.[1];
  const lines = all.slice(Math.max(asked === undefined ? first : first + 1, 0));
  const known =
    asked === undefined ? (type === '.tsv' ? '\t' : undefined) : asked.replace('\\t', '\t');
  const full = lines.filter((line) => !isBlank(line));
  const afterComments = headerAfterComments(full, known);
  const rest = full.slice(afterComments);
  const above = isTitle(rest, lines, isBlank) ? 1 : 0;
  const header = rest[above];
  return {
    begin: header?.begin ?? text.length,
    delimiter: known ?? delimiterOf(header?.text ?? ''),
    endsInReturn,
    skipped: full.slice(0, afterComments + above).map((line) => line.text.trim()),
  };
}

/** Whether the first line that ends outside of quotes ends in a carriage return without a line feed. */
function isReturnFirst(text: string): boolean {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      isQuoted = !isQuoted;
    } else if (sign === '\n' && !isQuoted) {
      return false;
    } else if (sign === '\r' && !isQuoted) {
      return text[at + 1] !== '\n';
    }
  }
  return !text.includes('\n');
}

/** The first lines, with the end of a quoted cell of several lines in the line of its begin. */
function linesOf(text: string, lineEnd: RegExp): Line[] {
  const lines: Line[] = [];
  let begin = 0;
  let quotes = 0;
  let at = 0;
  while (lines.length < maxLines && begin < text.length) {
    lineEnd.lastIndex = at;
    const found = lineEnd.exec(text);
    const end = found?.index ?? text.length;
    quotes += quotesIn(text.slice(at, Math.min(end, at + maxLineUnits)));
    at = found ? end + found[0].length : text.length;
    if (quotes % 2 === 0 || at >= text.length) {
      lines.push({ begin, text: text.slice(begin, Math.min(end, begin + maxLineUnits)) });
      begin = at;
      quotes = 0;
    }
  }
  return lines;
}

const quotesIn = (text: string) => text.split('"').length - 1;

/** The number of comments (`# Made by …`) before the header. A header may begin with `#`, too: the line below it then has as
 *  many cells. */
function headerAfterComments(lines: readonly Line[], known: string | undefined): number {
  const end = lines.findIndex(({ text }) => !text.startsWith('#'));
  const [last, next] = [lines[end - 1]?.text, lines[end]?.text];
  if (end <= 0 || last === undefined || next === undefined) {
    return 0;
  }
  const delimiter = known ?? delimiterOf(next);
  const cells = countOf(next, delimiter);
  return cells > 0 && countOf(last, delimiter) === cells ? end - 1 : end;
}

/** Whether the first line is a title of the table, and the header comes later. */
function isTitle(
  [first, ...next]: readonly Line[],
  lines: readonly Line[],
  isBlank: (line: Line) => boolean,
): boolean {
  const [second] = next;
  if (!first || !second || delimiterOf(first.text) !== noDelimiter || loneColumn.test(first.text)) {
    return false;
  }
  const delimiter = delimiterOf(second.text);
  const cells = countOf(second.text, delimiter);
  const below = lines[lines.indexOf(first) + 1];
  if (below && isBlank(below)) {
    return cells > 0;
  }
  const agreeing = next.slice(0, minAgreeing);
  return (
    cells > 1 &&
    agreeing.length === minAgreeing &&
    agreeing.every(({ text }) => countOf(text, delimiter) === cells)
  );
}

/** Returns the delimiter that splits a line into most cells. */
function delimiterOf(line: string): string {
  const counts = delimiters.map((delimiter) => countOf(line, delimiter));
  const most = Math.max(...counts);
  return most === 0 ? noDelimiter : (delimiters[counts.indexOf(most)] ?? noDelimiter);
}

/** How often a delimiter is in a line outside of quotes. A quote within a cell is text. */
function countOf(line: string, delimiter: string): number {
  let count = 0;
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at];
    if (sign === '"' && (isQuoted || at === 0 || isBegin(line[at - 1]))) {
      isQuoted = !isQuoted;
    } else if (sign === delimiter && !isQuoted) {
      count++;
    }
  }
  return count;
}

/** Whether a cell may begin after this sign. A quote may begin a cell, or end one for two quotes. */
const isBegin = (sign: string | undefined) => sign === '"' || delimiters.includes(sign ?? '');
