// Tables to records: what text a row stands for, its id, and the other fields to keep.
import { csv2json } from 'csv42';
import { AmbryError, messageOf } from '../errors.ts';

export interface TextRecord {
  readonly id: string | number | undefined;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Names that a field with the text goes by, best first. */
const kTextFields = ['text', 'content', 'body', 'passage', 'document', 'sentence', 'description'];
const kIdFields = ['id', '_id', 'key'];

export function recordsOf(path: string, type: string, text: string): TextRecord[] {
  return rows(path, type, text)
    .map(toRecord)
    .filter((record) => record.text !== '');
}

function rows(path: string, type: string, text: string): unknown[] {
  if (type === '.csv') return csvRows(path, text);
  if (type === '.json') return jsonRows(parseJson(path, text));
  const records: unknown[] = [];
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() !== '') records.push(parseJson(`${path}, line ${i + 1}`, line));
  });
  return records;
}

function csvRows(path: string, text: string): unknown[] {
  try {
    return csv2json(text, { nested: false, parseValue: (value) => value });
  } catch (error) {
    throw new AmbryError('BadValue', `Not valid CSV: ${path}: ${messageOf(error)}`);
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AmbryError('BadValue', `Not valid JSON: ${path}: ${messageOf(error)}`);
  }
}

/** A list of records, an object that holds one such list (`{"docs": […]}`), or one record. */
function jsonRows(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const lists = isObject(value) ? Object.values(value).filter(Array.isArray) : [];
  const list = lists.length === 1 ? (lists[0] as unknown[]) : [];
  return list.some(isObject) ? list : [value];
}

function toRecord(row: unknown): TextRecord {
  if (!isObject(row)) return { id: undefined, text: textOf(row), fields: {} };
  const name = kTextFields.find((field) => typeof row[field] === 'string');
  const idName = kIdFields.find((field) => ['string', 'number'].includes(typeof row[field]));
  const text = name === undefined ? allText(row, idName) : withTitle(row, textOf(row[name]));
  const fields = Object.entries(row).filter(([key]) => key !== name && key !== idName);
  const id = idName === undefined ? undefined : (row[idName] as string | number);
  return { id: id === '' ? undefined : id, text, fields: Object.fromEntries(fields) };
}

/** A title says what a text is about, which the text itself often does not. */
function withTitle(row: Readonly<Record<string, unknown>>, text: string): string {
  const title = textOf(row['title']);
  return title === '' || text.startsWith(title) ? text : `${title}: ${text}`;
}

/** Without a field that is plainly the text, all strings together are. */
function allText(row: Readonly<Record<string, unknown>>, idName: string | undefined): string {
  return Object.entries(row)
    .filter(([key, value]) => key !== idName && typeof value === 'string' && value.trim() !== '')
    .map(([, value]) => textOf(value))
    .join('; ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
