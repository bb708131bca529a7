// Methods of texts that cut them: `split` and its kin.
import { fail } from '../base/errors.ts';
import { isSpace, strip } from '../values/chars.ts';
import { Tuple } from '../values/types.ts';
import { optionalText, optionalWhole, textArgument, wholeArgument } from './arguments.ts';
import { type Machine, type Methods, method } from './machine.ts';

/** Cuts at each separator, at most so many times from the left. */
function splitAt(text: string, separator: string, most: number, machine: Machine): string[] {
  if (separator === '') {
    fail('empty separator');
  }
  const parts: string[] = [];
  machine.budget.work(text.length);
  let from = 0;
  for (
    let at = text.indexOf(separator);
    at >= 0 && parts.length !== most;
    at = text.indexOf(separator, from)
  ) {
    machine.budget.takeItems(1);
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  return [...parts, text.slice(from)];
}

function splitFromRight(text: string, separator: string, most: number, machine: Machine): string[] {
  if (separator === '') {
    fail('empty separator');
  }
  const parts: string[] = [];
  machine.budget.work(text.length);
  let to = text.length;
  for (
    let at = text.lastIndexOf(separator);
    at >= 0 && parts.length !== most;
    at = to < separator.length ? -1 : text.lastIndexOf(separator, to - separator.length)
  ) {
    machine.budget.takeItems(1);
    parts.push(text.slice(at + separator.length, to));
    to = at;
  }
  return [...parts, text.slice(0, to)].reverse();
}

/** Cuts at spaces. What is left after the last cut keeps the spaces in it. */
function words(text: string, most: number, machine: Machine): string[] {
  const parts: string[] = [];
  machine.budget.work(text.length);
  let at = 0;
  for (;;) {
    while (at < text.length && isSpace(text[at] as string)) {
      at++;
    }
    if (at === text.length) {
      return parts;
    }
    machine.budget.takeItems(1);
    if (parts.length === most) {
      return [...parts, text.slice(at)];
    }
    const from = at;
    while (at < text.length && !isSpace(text[at] as string)) {
      at++;
    }
    parts.push(text.slice(from, at));
  }
}

/** As `words`, from the right. Spaces are characters of one unit, so a text reads the same from its end. */
function wordsFromRight(text: string, most: number, machine: Machine): string[] {
  const mirrored = (part: string) => part.split('').reverse().join('');
  return words(mirrored(text), most, machine).map(mirrored).reverse();
}

/** What ends a line, as a class of a regular expression. */
const lineEnds = '\\n-\\r\\x1c-\\x1e\\x85\\u2028\\u2029';
const breaks = new RegExp(`\\r\\n|[${lineEnds}]`, 'g');

export function linesOf(text: string, keepsEnds: boolean, machine: Machine): string[] {
  const lines: string[] = [];
  let from = 0;
  machine.budget.work(text.length);
  for (const { 0: end, index } of text.matchAll(breaks)) {
    machine.budget.takeItems(1);
    lines.push(text.slice(from, keepsEnds ? index + end.length : index));
    from = index + end.length;
  }
  return from < text.length ? [...lines, text.slice(from)] : lines;
}

function parted(text: string, separator: string, at: number): [string, string, string] {
  return [text.slice(0, at), separator, text.slice(at + separator.length)];
}

function cutSides(sides: { left?: boolean; right?: boolean }) {
  return method<string>('/chars?', (text, [given], { budget }) => {
    const chars = optionalText(given);
    const set = chars === undefined ? undefined : new Set(chars);
    budget.work(text.length + (chars?.length ?? 0));
    return strip(text, set ? (character) => set.has(character) : isSpace, sides);
  });
}

export const cutMethods: Methods<string> = {
  strip: cutSides({ left: true, right: true }),
  lstrip: cutSides({ left: true }),
  rstrip: cutSides({ right: true }),
  split: method('sep? maxsplit?', (text, [sep, maxsplit], machine) => {
    const [separator, most] = [optionalText(sep), optionalWhole(maxsplit, -1)];
    return separator === undefined
      ? words(text, most, machine)
      : splitAt(text, separator, most, machine);
  }),
  rsplit: method('sep? maxsplit?', (text, [sep, maxsplit], machine) => {
    const [separator, most] = [optionalText(sep), optionalWhole(maxsplit, -1)];
    return separator === undefined
      ? wordsFromRight(text, most, machine)
      : splitFromRight(text, separator, most, machine);
  }),
  splitlines: method('keepends?', (text, [keepends], machine) =>
    linesOf(text, wholeArgument(keepends ?? false) !== 0, machine),
  ),
  partition: method('/sep', (text, [sep], machine) => {
    const separator = textArgument(sep);
    const [before = '', after] = splitAt(text, separator, 1, machine);
    return new Tuple(after === undefined ? [before, '', ''] : [before, separator, after]);
  }),
  rpartition: method('/sep', (text, [sep], machine) => {
    const separator = textArgument(sep);
    const [before = '', after] = splitFromRight(text, separator, 1, machine);
    return new Tuple(
      after === undefined ? ['', '', before] : parted(text, separator, before.length),
    );
  }),
  removeprefix: method('/prefix', (text, [given]) => {
    const prefix = textArgument(given);
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  }),
  removesuffix: method('/suffix', (text, [given]) => {
    const suffix = textArgument(given);
    return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
  }),
};
