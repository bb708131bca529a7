// Writes JSON over several lines. Numbers and texts stay as the model wrote them.

/** Longer JSON stays as it is: UTF-16 code units. */
const maxUnits = 100_000;
/** So does deeper JSON, because its lines would be long. */
const maxDepth = 50;
const indentOf = (depth: number): string => `\n${'  '.repeat(depth)}`;

/** What is not white space between the tokens of JSON: texts, brackets, signs, and the rest. */
const tokens = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g;

function isObjectOrList(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || text.length > maxUnits) {
    return false;
  }
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Null for what is no whole object or list. */
export function prettyJson(text: string): string | null {
  if (!isObjectOrList(text)) {
    return null;
  }
  let depth = 0;
  let before = '';
  const pieces: string[] = [];
  for (const [token] of text.matchAll(tokens)) {
    const closes = token === '}' || token === ']';
    const isEmpty = closes && (before === '{' || before === '[');
    if (closes) {
      depth -= 1;
    }
    const isNewLine = before === ',' || before === '{' || before === '[' || closes;
    pieces.push(isNewLine && !isEmpty ? indentOf(depth) : '', token, token === ':' ? ' ' : '');
    if (token === '{' || token === '[') {
      depth += 1;
      if (depth > maxDepth) {
        return null;
      }
    }
    before = token;
  }
  return pieces.join('');
}
