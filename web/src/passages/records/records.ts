// Rows to records: what text a row stands for, its id, and the other fields to keep.

export interface TextRecord {
  readonly id: string | number | undefined;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Names that a field with the text goes by, best first. */
const kTextFields = ['text', 'content', 'body', 'passage', 'document', 'sentence', 'description'];
const kIdFields = ['id', '_id', 'key'];

export function toRecord(row: unknown): TextRecord {
  if (!isObject(row)) return { id: undefined, text: allText(row), fields: {} };
  const name = kTextFields.find((field) => typeof row[field] === 'string');
  const idName = kIdFields.find((field) => ['string', 'number'].includes(typeof row[field]));
  const fields = Object.entries(row).filter(([key]) => key !== name && key !== idName);
  const text =
    name === undefined
      ? allText(fields.map(([, value]) => value))
      : withTitle(row, tidy(row[name]));
  const id = idName === undefined ? undefined : (row[idName] as string | number);
  return { id: id === '' ? undefined : id, text, fields: Object.fromEntries(fields) };
}

/** A title says what a text is about, which the text itself often does not. */
function withTitle(row: Readonly<Record<string, unknown>>, text: string): string {
  const title = tidy(row['title']);
  return title === '' || text.startsWith(title) ? text : `${title}: ${text}`;
}

/** Without a field that is plainly the text, all strings together are, however deep they lie. */
function allText(value: unknown): string {
  const texts: string[] = [];
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') texts.push(tidy(next));
    else if (typeof next === 'object' && next !== null) {
      for (const inner of Object.values(next).reverse()) waiting.push(inner);
    }
  }
  return texts.filter((text) => text !== '').join('; ');
}

function tidy(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
