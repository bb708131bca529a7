// The texts in a line of JSON, by their places. What lies between them stays as it was written: numbers of any size, spaces, and
// the order of keys.

export interface JsonText {
  /** The place of the text with its quotes. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const sign = /["{}[\],:]/g;

/** The texts in the values of these keys of an object, also in lists and objects there. The line is valid JSON. `found` gets the
 *  keys that are there. */
export function jsonTexts(
  line: string,
  keys: readonly string[],
  found: Set<string>,
): readonly JsonText[] {
  const texts: JsonText[] = [];
  const open: string[] = [];
  let isKey = false;
  let isWanted = false;
  for (const { start, end } of signsIn(line)) {
    if (end === start + 1) {
      const bracket = line.charAt(start);
      isKey = opened(open, bracket) === '{' && bracket !== ':';
      continue;
    }
    const text = () => JSON.parse(line.slice(start, end)) as string;
    if (!isKey && isWanted) {
      texts.push({ start, end, text: text() });
    }
    if (isKey && open.length === 1) {
      const key = text();
      isWanted = keys.includes(key);
      if (isWanted) {
        found.add(key);
      }
    }
  }
  return texts;
}

/** The places of brackets, commas, colons and texts. */
function* signsIn(line: string): Generator<{ readonly start: number; readonly end: number }> {
  const signs = new RegExp(sign);
  for (let found = signs.exec(line); found; found = signs.exec(line)) {
    const { index: start } = found;
    if (found[0] === '"') {
      signs.lastIndex = endOfText(line, start);
    }
    yield { start, end: signs.lastIndex };
  }
}

/** Behind the quote that ends the text. An odd number of backslashes before a quote makes it a part of the text. */
function endOfText(line: string, start: number): number {
  for (let at = line.indexOf('"', start + 1); at >= 0; at = line.indexOf('"', at + 1)) {
    let slashes = 0;
    while (line[at - 1 - slashes] === '\\') {
      slashes++;
    }
    if (slashes % 2 === 0) {
      return at + 1;
    }
  }
  return line.length;
}

/** The bracket that is open after this one. */
function opened(open: string[], bracket: string): string | undefined {
  if (bracket === '{' || bracket === '[') {
    open.push(bracket);
  } else if (bracket === '}' || bracket === ']') {
    open.pop();
  }
  return open.at(-1);
}

/** The line with other texts in these places. */
export function withTexts(
  line: string,
  places: readonly JsonText[],
  texts: readonly string[],
): string {
  let at = 0;
  const parts = places.flatMap(({ start, end, text }, i) => {
    const before = line.slice(at, start);
    const other = texts[i] ?? text;
    at = end;
    return [before, other === text ? line.slice(start, end) : JSON.stringify(other)];
  });
  return [...parts, line.slice(at)].join('');
}
