// Finds lists and quotes that are nested too deeply, before marked sees them: it reads a text once for each list and
// quote around it.

/** Levels of lists and quotes. More are read where they cost little. */
export const maxNesting = 32;
/** A text of any length may be read so often: code units, each once for every level around it. */
const freeWork = 1 << 22;
/** Marked recurses into every level. */
const maxDepth = 500;

const marker = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})$/;
const tabWidth = 4;

/** Returns the index of the line where the text is nested too deeply, or -1. Code counts too, so this never finds less
 *  than marked. */
export function tooDeepAt(text: string): number {
  /** The columns of the open lists, outermost first. */
  const open: number[] = [];
  let work = 0;
  let isAfterBlank = false;
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const line = text.slice(at, end);
    const isBlank = line.trim() === '';
    const levels = isBlank ? open.length : levelsOf(line, open, isAfterBlank);
    work += levels * line.length;
    if (levels > maxDepth) {
      return at;
    }
    if (levels > maxNesting && work > freeWork + maxNesting * end) {
      return at;
    }
    isAfterBlank = isBlank;
    at = end + 1;
  }
  return -1;
}

/** The lists and quotes around the text of a line. */
function levelsOf(line: string, open: number[], isAfterBlank: boolean): number {
  marker.lastIndex = 0;
  const first = marker.exec(line);
  // A line without a marker goes on with the paragraph above, however far out it begins.
  if (first || isAfterBlank) {
    const column = columnOf(line);
    while ((open.at(-1) ?? -1) >= column) {
      open.pop();
    }
    if (first) {
      open.push(column);
    }
  }
  if (!first || rule.test(line)) {
    return open.length;
  }
  let levels = open.length;
  while (marker.exec(line)) {
    levels++;
  }
  return levels;
}

/** The column of the first sign that is not white space. */
function columnOf(line: string): number {
  let column = 0;
  for (const sign of line) {
    if (sign === ' ') {
      column++;
    } else if (sign === '\t') {
      column += tabWidth - (column % tabWidth);
    } else {
      break;
    }
  }
  return column;
}
