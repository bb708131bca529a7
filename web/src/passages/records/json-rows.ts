// JSON and JSON Lines to rows.
import { AmbryError, messageOf } from '../../errors.ts';
import { byteOffsetOf, type Decoded } from '../text/decode.ts';
import { faultIn } from './json-fault.ts';
import { isObject } from './records.ts';

/** A list of records, an object that holds one such list (`{"docs": […]}`), or one record. */
export function jsonRows(path: string, document: Decoded): unknown[] {
  const value = parseJson(document.text, path, (at) => byteOffsetOf(document, at));
  if (Array.isArray(value)) return value;
  const lists = isObject(value) ? Object.values(value).filter(Array.isArray) : [];
  const list = lists.length === 1 ? (lists[0] as unknown[]) : [];
  return list.some(isObject) ? list : [value];
}

/** A record a line; lines may be blank. */
export function jsonLineRows(path: string, document: Decoded): unknown[] {
  const { text } = document;
  const rows: unknown[] = [];
  let line = 1;
  for (let at = 0; at < text.length; line++) {
    const end = text.indexOf('\n', at);
    const begin = at;
    at = end < 0 ? text.length : end + 1;
    const row = text.slice(begin, at).trimEnd();
    if (row === '') continue;
    rows.push(parseJsonLine(row, path, line, (index) => byteOffsetOf(document, begin + index)));
  }
  return rows;
}

export function parseJsonLine(
  text: string,
  path: string,
  line: number,
  offsetOf: (index: number) => number | undefined,
): unknown {
  return parseJson(text, `${path}, line ${line}`, offsetOf, `line ${line}`);
}

/** `offsetOf` says at which byte of the file a character of `text` is. */
function parseJson(
  text: string,
  where: string,
  offsetOf: (index: number) => number | undefined,
  path?: string,
): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const message = `Not valid JSON: ${where}: ${messageOf(error)}`;
    throw new AmbryError('BadValue', message, { byteOffset: offsetOf(faultIn(text)), path });
  }
}
