// Finds the plain words for an error.

import { modelRows, type Plain, type Row, rows, type Seen } from './plain-rows.ts';

export type { Plain };

function seen(error: unknown, online: boolean, bytes?: number): Seen {
  const { code, name, message, path, byteOffset, wholeBytes } = Object(error) as Partial<
    Record<string, unknown>
  >;
  return {
    // A DOMException has a number as its code.
    code: typeof code === 'string' ? code : String(name ?? ''),
    message: String(message ?? error),
    path: String(path ?? ''),
    hasByte: byteOffset !== undefined,
    online,
    wholeBytes: typeof wholeBytes === 'number' ? wholeBytes : null,
    bytes,
  };
}

/** What the row says; null if it does not fit. */
function plainBy({ codes, message, path, hasByte, online, plain }: Row, it: Seen): Plain | null {
  const match = (message ?? /^/).exec(it.message);
  const fits =
    match !== null &&
    (path ?? /^/).test(it.path) &&
    (codes === undefined || codes.includes(it.code)) &&
    (hasByte === undefined || hasByte === it.hasByte) &&
    (online === undefined || online === it.online);
  if (!fits) {
    return null;
  }
  return typeof plain === 'function' ? plain(match, it) : plain;
}

function firstOf(all: readonly Row[], it: Seen): Plain | null {
  for (const row of all) {
    const plain = plainBy(row, it);
    if (plain !== null) {
      return plain;
    }
  }
  return null;
}

/** Null if the error's own message is plain enough. */
export const plainOf = (error: unknown, online = navigator.onLine): Plain | null =>
  firstOf(rows, seen(error, online));

/** What `plainOf` says, of an error of opening a model of so many bytes. */
export const plainOfModel = (
  error: unknown,
  online = navigator.onLine,
  bytes?: number,
): Plain | null => firstOf([...rows, ...modelRows], seen(error, online, bytes));
