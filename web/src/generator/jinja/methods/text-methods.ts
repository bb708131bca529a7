// Methods of texts.
import { fail } from '../base/errors.ts';
import { characterCount, characterSlice, charactersOf } from '../values/chars.ts';
import { listOf } from '../values/iterate.ts';
import { escaped } from '../values/text.ts';
import {
  Callable,
  isList,
  Markup,
  type Named,
  Tuple,
  textOf,
  typeName,
  type Value,
} from '../values/types.ts';
import { optionalWhole, textArgument, wholeArgument } from './arguments.ts';
import { type Bound, boundMethod, type Machine, type Methods, method } from './machine.ts';
import { askMethods, caseMethods } from './text-case.ts';
import { cutMethods } from './text-cut.ts';
import { formatText } from './text-format.ts';
import { centered, joined, padded } from './text-pad.ts';

/** The part of a text that `start` and `end` leave, and how many characters are before it. */
function section(
  text: string,
  [start, end]: readonly (Value | undefined)[],
): { part: string; before: number } | undefined {
  const hasBounds = (start ?? null) !== null || (end ?? null) !== null;
  if (!hasBounds) {
    return { part: text, before: 0 };
  }
  const length = characterCount(text);
  const place = (at: number) => Math.max(0, at < 0 ? at + length : at);
  const [from, to] = [place(optionalWhole(start, 0)), place(optionalWhole(end, length))];
  return from > length || from > to
    ? undefined
    : { part: characterSlice(text, from, to), before: from };
}

function finder(isLast: boolean, isNeeded: boolean) {
  return method<string>('/sub start? end?', (text, [sub, ...bounds], { budget }) => {
    const wanted = textArgument(sub);
    budget.work(text.length);
    const found = section(text, bounds);
    const at = found ? (isLast ? found.part.lastIndexOf(wanted) : found.part.indexOf(wanted)) : -1;
    if (at < 0 || !found) {
      return isNeeded ? fail('substring not found') : -1n;
    }
    return BigInt(found.before + characterCount(found.part.slice(0, at)));
  });
}

function affix(test: (text: string, affix: string) => boolean) {
  return method<string>('/affix start? end?', (text, [given, ...bounds], { budget }) => {
    budget.work(text.length);
    const affixes = given instanceof Tuple ? given.items : [given ?? null];
    const found = section(text, bounds);
    return affixes.some((one) => {
      const wanted = textArgument(one);
      return found !== undefined && test(found.part, wanted);
    });
  });
}

function countOf(text: string, part: string, machine: Machine): number {
  machine.budget.work(text.length);
  if (part === '') {
    return characterCount(text) + 1;
  }
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    count++;
  }
  return count;
}

/** `most` is how many are replaced, all if it is negative. */
export function replaced(
  text: string,
  old: string,
  fresh: string,
  most: number,
  machine: Machine,
): string {
  const there = countOf(text, old, machine);
  const count = most < 0 ? there : Math.min(there, most);
  machine.budget.takeText(text.length + count * (fresh.length - old.length));
  if (count === 0) {
    return text;
  }
  if (old === '') {
    const characters = charactersOf(text);
    const parts = characters.map((character, i) => (i < count ? fresh + character : character));
    return parts.join('') + (count > characters.length ? fresh : '');
  }
  let made = '';
  let from = 0;
  for (let done = 0; done < count; done++) {
    const at = text.indexOf(old, from);
    made += text.slice(from, at) + fresh;
    from = at + old.length;
  }
  return made + text.slice(from);
}

function padder(pad: (text: string, width: number, fill: string, machine: Machine) => string) {
  return method<string>('/width fillchar?', (text, [width, fillchar], machine) => {
    const fill = textArgument(fillchar === undefined ? ' ' : fillchar);
    if (characterCount(fill) !== 1) {
      fail('The fill character must be exactly one character long');
    }
    return pad(text, wholeArgument(width ?? null), fill, machine);
  });
}

function withTabs(text: string, size: number, { budget }: Machine): string {
  let made = '';
  let column = 0;
  for (const character of text) {
    const width = character === '\t' ? (size > 0 ? size - (column % size) : 0) : 1;
    budget.checkText(made.length + width);
    made += character === '\t' ? ' '.repeat(width) : character;
    column = character === '\n' || character === '\r' ? 0 : column + width;
  }
  budget.takeText(made.length);
  return made;
}

const otherMethods: Methods<string> = {
  ...cutMethods,
  ...caseMethods,
  ljust: padder((text, width, fill, machine) =>
    padded(text, 0, width - characterCount(text), fill, machine),
  ),
  rjust: padder((text, width, fill, machine) =>
    padded(text, width - characterCount(text), 0, fill, machine),
  ),
  center: padder(centered),
  zfill: method('/width', (text, [width], machine) => {
    const sign = /^[+-]/.exec(text)?.[0] ?? '';
    const missing = wholeArgument(width ?? null) - characterCount(text);
    return sign + padded(text.slice(sign.length), missing, 0, '0', machine);
  }),
  expandtabs: method('tabsize?', (text, [size], machine) =>
    withTabs(text, optionalWhole(size, 8), machine),
  ),
  replace: method('/old new count?', (text, [old, fresh, count], machine) =>
    replaced(text, textArgument(old), textArgument(fresh), optionalWhole(count, -1), machine),
  ),
};

/** Methods whose result is no markup, though the text may be. */
const plainMethods: Methods<string> = {
  ...askMethods,
  find: finder(false, false),
  rfind: finder(true, false),
  index: finder(false, true),
  rindex: finder(true, true),
  startswith: affix((text, prefix) => text.startsWith(prefix)),
  endswith: affix((text, suffix) => text.endsWith(suffix)),
  count: method('/sub start? end?', (text, [sub, ...bounds], machine) => {
    const found = section(text, bounds);
    const wanted = textArgument(sub);
    return BigInt(found ? countOf(found.part, wanted, machine) : 0);
  }),
};

/** Methods that markup has from texts as they are. */
const losesMarkup = new Set(['casefold', 'removeprefix', 'removesuffix']);

/** Python's other methods of texts. They need bytes or tables of characters. */
const refused = ['encode', 'maketrans', 'translate', 'striptags', 'unescape'];

export function textMethod(
  self: string | Markup,
  name: string,
  machine: Machine,
): Value | undefined {
  const text = textOf(self) as string;
  if (name === 'join') {
    return boundMethod(joins, self, name, machine);
  }
  if (name === 'format' || name === 'format_map') {
    return new Callable(name, (args, named) => formatted(self, name, args, named, machine));
  }
  const made = boundMethod(otherMethods, text, name, machine);
  if (made) {
    return self instanceof Markup && !losesMarkup.has(name) ? asMarkup(made, machine) : made;
  }
  if (
    refused.includes(name) &&
    (self instanceof Markup || name in { encode: 0, maketrans: 0, translate: 0 })
  ) {
    fail(`the method '${name}' of texts is not supported`);
  }
  return boundMethod(plainMethods, text, name, machine);
}

const joins: Methods<string | Markup> = {
  join: method('/iterable', (self, [iterable]: Bound, machine) => {
    const items = listOf(iterable ?? null, machine.budget);
    if (self instanceof Markup) {
      const texts = items.map((item) => escaped(item, machine.budget).text);
      return new Markup(joined(self.text, texts, machine));
    }
    const texts = items.map(
      (item, i) =>
        textOf(item) ?? fail(`sequence item ${i}: expected str instance, ${typeName(item)} found`),
    );
    return joined(self, texts, machine);
  }),
};

function formatted(
  self: string | Markup,
  name: string,
  args: readonly Value[],
  named: Named,
  machine: Machine,
): Value {
  const isMap = name === 'format_map';
  if (isMap && (args.length !== 1 || named.size > 0)) {
    fail('format_map() takes exactly one argument');
  }
  const values = isMap ? { args: [], map: args[0] as Value } : { args, map: named };
  if (self instanceof Markup) {
    return new Markup(formatText(self.text, values, machine, true));
  }
  return formatText(self, values, machine, false);
}

/** A method of a markup: its arguments are escaped, and its texts are markup. */
function asMarkup(made: Callable, { budget }: Machine): Callable {
  const isCut = made.name.includes('split');
  const safe = (value: Value) =>
    textOf(value) === undefined || isCut ? value : escaped(value, budget).text;
  return new Callable(made.name, (args, named) => {
    const keyed = [...named].map(([key, value]) => [key, safe(value)] as const);
    return marked(made.call(args.map(safe), new Map(keyed)));
  });
}

function marked(value: Value): Value {
  if (typeof value === 'string') {
    return new Markup(value);
  }
  if (isList(value)) {
    return value.map(marked);
  }
  return value instanceof Tuple ? new Tuple(value.items.map(marked)) : value;
}
