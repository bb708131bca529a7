// Links around the addresses in a text, as jinja2's `urlize` finds them. The text is escaped already.
import type { Machine } from '../methods/machine.ts';
import { spaceClass } from '../values/chars.ts';

interface Links {
  readonly attributes: string;
  /** What is shown of an address. */
  readonly shown: (address: string) => string;
  /** What addresses begin with, beside `http:` and its like. */
  readonly schemes: readonly string[];
}

const word = '\\p{L}\\p{N}_';
const page = new RegExp(
  '^(?:' +
    `(?:https?://|www\\.)(?:[${word}%-]+\\.)*(?:[a-z]{2,63}|xn--[${word}%]{2,59})` +
    `|(?:[${word}%-]{2,63}\\.)+(?:com|net|int|edu|gov|org|info|mil)` +
    '|https?://(?:\\p{Nd}{1,3}(?:\\.\\p{Nd}{1,3}){3}' +
    '|\\[(?:[\\p{Nd}a-f]{0,4}:){2}(?:[\\p{Nd}a-f]{0,4}:?){1,6}\\])' +
    ')(?::\\p{Nd}{1,5})?(?:[/?#].*)?$',
  'isu',
);
const mail = new RegExp(`^.+@[${word}][${word}.-]*\\.[${word}]+$`, 'su');
const spaces = new RegExp(`([${spaceClass}]+)`);
const pairs = [
  ['(', ')'],
  ['<', '>'],
  ['&lt;', '&gt;'],
] as const;
/** What a sentence has after an address. */
const endings = [')', '>', '.', ',', '&gt;'];

export function linkedText(text: string, machine: Machine, links: Links): string {
  const { budget } = machine;
  budget.takeItems(text.length);
  let made = '';
  for (const part of text.split(spaces)) {
    const [before, inner, after] = partsOf(part, machine);
    const linked = before + link(inner, links) + after;
    budget.checkText(made.length + linked.length);
    made += linked;
  }
  budget.takeText(made.length);
  return made;
}

/** What stands around an address, and the address with the brackets that belong to it. */
function partsOf(part: string, { budget }: Machine): [string, string, string] {
  const before = /^(?:[(<]|&lt;)*/.exec(part)?.[0] ?? '';
  let end = part.length;
  for (let ending = endingAt(part, end); ending; ending = endingAt(part, end)) {
    end -= ending.length;
  }
  let [inner, after] = [part.slice(before.length, end), part.slice(end)];
  for (const [open, close] of pairs) {
    const opened = count(inner, open);
    for (let left = opened > count(inner, close) ? opened : 0; left > 0; left--) {
      const at = after.indexOf(close);
      if (at < 0) {
        break;
      }
      budget.work(part.length);
      inner += after.slice(0, at + close.length);
      after = after.slice(at + close.length);
    }
  }
  return [before, inner, after];
}

const endingAt = (part: string, end: number): string | undefined =>
  endings.find((ending) => part.endsWith(ending, end));

const count = (text: string, part: string): number => text.split(part).length - 1;

function link(text: string, { attributes, shown, schemes }: Links): string {
  if (page.test(text)) {
    const start = /^https?:\/\//.test(text) ? '' : 'https://';
    return `<a href="${start}${text}"${attributes}>${shown(text)}</a>`;
  }
  if (text.startsWith('mailto:') && mail.test(text.slice(7))) {
    return `<a href="${text}">${text.slice(7)}</a>`;
  }
  if (!/^(?:www\.|@)|:/.test(text) && mail.test(text)) {
    return `<a href="mailto:${text}">${text}</a>`;
  }
  return schemes.reduce(
    (made, scheme) =>
      made !== scheme && made.startsWith(scheme)
        ? `<a href="${made}"${attributes}>${made}</a>`
        : made,
    text,
  );
}
