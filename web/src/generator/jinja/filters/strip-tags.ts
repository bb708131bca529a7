// The text of HTML, as markupsafe 3 makes it.
import { fail } from '../base/errors.ts';
import type { Machine } from '../methods/machine.ts';
import { spaceClass } from '../values/chars.ts';

const spaces = new RegExp(`[${spaceClass}]+`);

export function withoutTags(html: string, machine: Machine): string {
  const text = without(without(html, '<!--', '-->', machine), '<', '>', machine);
  const words = text.split(spaces).filter(Boolean);
  machine.budget.takeItems(words.length);
  machine.budget.takeText(text.length);
  return unescaped(words.join(' '));
}

/** What is left may make a new tag, which goes too. */
function without(given: string, open: string, close: string, { budget }: Machine): string {
  let text = given;
  let from = 0;
  for (;;) {
    from = text.indexOf(open, from);
    const end = from < 0 ? -1 : text.indexOf(close, from);
    if (end < 0) {
      return text;
    }
    budget.work(text.length);
    text = text.slice(0, from) + text.slice(end + close.length);
    // A new beginning may lie across the cut.
    from = Math.max(0, from - open.length + 1);
  }
}

const names: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  nbsp: '\u00a0',
  quot: '"',
};

/** What browsers take numbers from 0x80 on for, as windows-1252 has them. */
const windows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** HTML has two thousand names of characters. Those that are not known here are refused, as a table of them is large. */
function unescaped(text: string): string {
  return text.replace(
    /&(?:#(?:[xX]([\da-fA-F]+)|(\d+));?|([a-zA-Z][a-zA-Z\d]*);?)/g,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) {
        if (name.length === 1) {
          return all;
        }
        const known = all.endsWith(';') && Object.hasOwn(names, name) ? names[name] : undefined;
        return known ?? fail(`the name ${all} of a character is not supported by striptags`);
      }
      return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
    },
  );
}

function characterOf(code: number): string {
  if (code >= 0x80 && code < 0xa0) {
    return windows[code - 0x80] as string;
  }
  if (code === 0 || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) {
    return '\ufffd';
  }
  const isControl = (code < 0x20 && ![9, 10, 12, 13].includes(code)) || code === 0x7f;
  const isNone = (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
  return isControl || isNone ? '' : String.fromCodePoint(code);
}
