// Turns a row of a table or a JSON value into a record: its text, its id and its other fields.

export interface TextRecord {
  readonly id: string | number | undefined;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Usual names of the field that holds the text, best first. */
const textFields = ['text', 'content', 'body', 'passage', 'document', 'sentence', 'description'];
const idFields = ['id', '_id', 'key'];

export function toRecord(row: unknown): TextRecord {
  if (!isObject(row)) return { id: undefined, text: allText(row), fields: {} };
  const name = textFields.find((field) => typeof row[field] === 'string');
  const idName = idFields.find((field) => ['string', 'number'].includes(typeof row[field]));
  const fields = Object.entries(row).filter(([key]) => key !== name && key !== idName);
  const text =
    name === undefined
      ? allText(fields.map(([, value]) => value))
      : withTitle(row, tidy(row[name]));
  const id = idName === undefined ? undefined : (row[idName] as string | number);
  return { id: id === '' ? undefined : id, text, fields: Object.fromEntries(fields) };
}

/** Puts the title before the text, because a text often does not name its own subject. */
function withTitle(row: Readonly<Record<string, unknown>>, text: string): string {
  const title = tidy(row['title']);
  return title === '' || text.startsWith(title) ? text : `${title}: ${text}`;
}

/** Joins all strings of a value at any depth. This is the text of a row without a text field. */
function allText(value: unknown): string {
  const texts: string[] = [];
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') texts.push(tidy(next));
    else if (typeof next === 'object' && next !== null) {
      for (const inner of Object.values(next).reverse()) pending.push(inner);
    }
  }
  return texts.filter((text) => text !== '').join('; ');
}

/** Whether a value has more levels of lists and objects than `most`. */
export function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null
        ? Object.values(each).filter((inner) => typeof inner === 'object' && inner !== null)
        : [],
    );
  }
  return false;
}

function tidy(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
