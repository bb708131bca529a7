// Turns a row of a table or a JSON value into a record: its text, its id and its other fields.
import { isTitleField } from './title-fields.ts';

interface TextRecord {
  readonly id: string | number | undefined;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Usual names of the field that holds the text, best first. */
const textFields = ['text', 'content', 'body', 'passage', 'document', 'sentence', 'description'];
const idFields = ['id', '_id', 'key'];

export function toRecord(row: unknown): TextRecord {
  if (!isObject(row)) {
    return { id: undefined, text: allText(row), fields: {} };
  }
  const name = fieldOf(row, textFields, ['string']);
  const idName = fieldOf(row, idFields, ['string', 'number']);
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(row)) {
    if (key !== name && key !== idName) {
      setField(fields, key, row[key]);
    }
  }
  const text = name === undefined ? allText(fields) : withTitle(row, tidy(row[name]));
  const id = idName === undefined ? undefined : (row[idName] as string | number);
  return { id: id === '' ? undefined : id, text, fields };
}

/** A field may have the name of the prototype. */
function setField(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') {
    fields[key] = value;
  } else {
    Object.defineProperty(fields, key, { value, enumerable: true, writable: true });
  }
}

/** The first field with one of these names. Capitals do not matter. */
function fieldOf(
  row: Readonly<Record<string, unknown>>,
  names: readonly string[],
  types: readonly string[],
): string | undefined {
  const exact = names.find((name) => types.includes(typeof row[name]));
  if (exact !== undefined) {
    return exact;
  }
  let best: string | undefined;
  let rank = names.length;
  for (const key in row) {
    // The names that are looked for are short.
    const at = key.length <= maxNameLength ? names.indexOf(key.toLowerCase()) : -1;
    if (at >= 0 && at < rank && types.includes(typeof row[key])) {
      best = key;
      rank = at;
    }
  }
  return best;
}

const maxNameLength = 16;

/** Puts titles and names before the text, because a text often does not name its own subject. */
function withTitle(row: Readonly<Record<string, unknown>>, text: string): string {
  const titles: string[] = [];
  for (const key in row) {
    const title = typeof row[key] === 'string' && isTitleField(key) ? tidy(row[key]) : '';
    if (title !== '' && !text.startsWith(title) && !titles.includes(title)) {
      titles.push(title);
    }
    if (titles.length === maxTitles) {
      break;
    }
  }
  return titles.length === 0 ? text : `${titles.join('; ')}: ${text}`;
}

/** More fields with names of titles are parts of something else. */
const maxTitles = 4;

/** Joins all strings of a value at any depth. This is the text of a row without a text field. */
function allText(value: unknown): string {
  if (typeof value === 'string') {
    return tidy(value);
  }
  let joined = '';
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') {
      const text = tidy(next);
      if (text !== '') {
        joined += joined === '' ? text : `; ${text}`;
      }
    } else if (typeof next === 'object' && next !== null) {
      const inner: unknown[] = Array.isArray(next) ? next : Object.values(next);
      // Numbers and the like have no text. A list of millions of them is not copied.
      for (let i = inner.length - 1; i >= 0; i--) {
        const each = inner[i];
        if (typeof each === 'string' || typeof each === 'object') {
          pending.push(each);
        }
      }
    }
  }
  return joined;
}

/** Whether a value has more levels of lists and objects than `most`. */
export function isDeeper(value: unknown, most: number): boolean {
  let level: object[] = isParent(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) {
      return true;
    }
    level = childrenOf(level);
  }
  return false;
}

/** The lists and objects in these. */
function childrenOf(parents: readonly object[]): object[] {
  const children: object[] = [];
  for (const parent of parents) {
    const values: unknown[] = Array.isArray(parent) ? parent : Object.values(parent);
    for (const value of values) {
      if (isParent(value)) {
        children.push(value);
      }
    }
  }
  return children;
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const manySpaces = /\s{2,}|[^\S ]/g;

function tidy(value: unknown): string {
  if (typeof value !== 'string') {
    return '';
  }
  return value.replace(manySpaces, ' ').trim();
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
