// Cuts what is too long for a language model to read, and says what was cut.
import { visibleName } from 'ambry/tables';

/** The beginning of a text. No character of two code units is cut in half. */
export function cutText(text: string, most: number): string {
  const end = Math.max(0, most);
  if (text.length <= end) {
    return text;
  }
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return text.slice(0, isHalf ? end - 1 : end);
}

/** A short text of a stranger, such as the name of a file: hidden characters are shown, and a long end is counted. */
export function shortName(name: string, most = 200): string {
  const shown = visibleName(name);
  const begin = cutText(shown, most);
  return begin.length === shown.length ? shown : `${begin}… (${shown.length} characters)`;
}

/** How many characters of a result are left. */
export class Room {
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Takes room for a value as JSON. False, and nothing is taken, if there is too little. */
  take(value: unknown): boolean {
    const { length } = JSON.stringify(value) ?? '';
    if (length > this.#left) {
      return false;
    }
    this.#left -= length + 1;
    return true;
  }
}

interface List<T> {
  readonly shown: readonly T[];
  /** How many did not fit. */
  readonly leftOut: number;
}

/** The first of a list for which there is room. */
export function firstOf<T>(all: readonly T[], room: Room, most: number): List<T> {
  const shown: T[] = [];
  for (const one of all.slice(0, most)) {
    if (!room.take(one)) {
      break;
    }
    shown.push(one);
  }
  return { shown, leftOut: all.length - shown.length };
}

const mostItems = 8;
const mostDepth = 4;

/** What a file says in its own words, shortened: the first items of lists, the beginning of texts, and integers of any size
 *  as JSON has them. */
export function shortValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return shortName(value);
  }
  if (typeof value === 'bigint') {
    return String(value);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return String(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value ?? null;
  }
  if (depth >= mostDepth) {
    return '…';
  }
  const list = Array.isArray(value) ? value : ArrayBuffer.isView(value) ? [...listOf(value)] : null;
  if (list) {
    const shown = list.slice(0, mostItems).map((one) => shortValue(one, depth + 1));
    const more = list.length - shown.length;
    return more > 0 ? [...shown, `… (${more} more)`] : shown;
  }
  const members = Object.entries(value);
  const shown = members
    .slice(0, mostItems * 2)
    .map(([name, member]) => [shortName(name), shortValue(member, depth + 1)]);
  const more = members.length - shown.length;
  return Object.fromEntries(more > 0 ? [...shown, ['…', `${more} more`]] : shown);
}

function listOf(view: ArrayBufferView): Iterable<unknown> {
  return Symbol.iterator in view ? (view as Uint8Array) : new Uint8Array(view.buffer);
}

/** The first members of an object, each shortened. */
export function firstMembers(
  object: Readonly<Record<string, unknown>>,
  room: Room,
  most: number,
): { readonly shown: Readonly<Record<string, unknown>>; readonly leftOut: number } {
  const members = Object.entries(object).map(
    ([name, value]) => [shortName(name), shortValue(value)] as const,
  );
  const { shown, leftOut } = firstOf(members, room, most);
  return { shown: Object.fromEntries(shown), leftOut };
}
