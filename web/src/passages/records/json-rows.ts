// Reads the rows of JSON and JSON Lines.
import { AmbryError, messageOf } from '../../base/errors.ts';
import { byteOffsetOf, type DecodedText } from '../text/decoding.ts';
import { jsonErrorIndex } from './json-error-index.ts';
import { isObject } from './records.ts';

/** The document is a list of records, an object with one such list (`{"docs": […]}`), or a single record. */
export function jsonRows(path: string, document: DecodedText): unknown[] {
  const value = jsonValue(path, document);
  if (Array.isArray(value)) {
    return value;
  }
  const lists = isObject(value) ? Object.values(value).filter(Array.isArray) : [];
  const list = lists.length === 1 ? (lists[0] as unknown[]) : [];
  return list.some(isObject) ? list : [value];
}

/** Each line is a record. Blank lines are skipped. */
export function* jsonLineRows(path: string, document: DecodedText): Generator<unknown> {
  const { text } = document;
  let line = 1;
  for (let at = 0; at < text.length; line++) {
    const end = text.indexOf('\n', at);
    const begin = at;
    at = end < 0 ? text.length : end + 1;
    const row = text.slice(begin, at).trimEnd();
    if (row === '') {
      continue;
    }
    yield parseJsonLine(row, path, line, (index) => byteOffsetOf(document, begin + index));
  }
}

export function parseJsonLine(
  text: string,
  path: string,
  line: number,
  offsetOf: (index: number) => number | undefined,
): unknown {
  return parseJson(text, `${path}, line ${line},`, offsetOf, `line ${line}`);
}

/** The value of a document that is one JSON text. */
export function jsonValue(path: string, document: DecodedText): unknown {
  return parseJson(document.text, path, (at) => byteOffsetOf(document, at));
}

/** `name` begins the error message. `offsetOf` converts an index in `text` to a byte offset in the file. */
function parseJson(
  text: string,
  name: string,
  offsetOf: (index: number) => number | undefined,
  path?: string,
): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const message = `${name} is not valid JSON: ${messageOf(error)}`;
    throw new AmbryError('BadValue', message, { byteOffset: offsetOf(jsonErrorIndex(text)), path });
  }
}
