// Filters of texts.
import { fail } from '../base/errors.ts';
import { optionalWhole, textArgument, wholeArgument } from '../methods/arguments.ts';
import type { Machine } from '../methods/machine.ts';
import { percentFormat } from '../methods/percent.ts';
import { capitalized } from '../methods/text-case.ts';
import { linesOf } from '../methods/text-cut.ts';
import { replaced, textMethod } from '../methods/text-methods.ts';
import { centered } from '../methods/text-pad.ts';
import { characterCount, characterSlice, spaceClass } from '../values/chars.ts';
import { isTrue, lengthOf } from '../values/iterate.ts';
import { strOf } from '../values/text.ts';
import { type Callable, Dict, Markup, Tuple, textOf, type Value } from '../values/types.ts';
import { type Filters, filter } from './filter.ts';

/** The text of any value. Markup stays what it is. */
const soft = (value: Value, { budget }: Machine): string | Markup =>
  value instanceof Markup ? value : strOf(value, budget);

/** A filter that does what a method of texts does. */
function byMethod(parameters: string, name: string) {
  return filter(parameters, (value, args, machine) => {
    const method = textMethod(soft(value, machine), name, machine) as Callable;
    return method.call(
      args.filter((arg) => arg !== undefined),
      new Map(),
    );
  });
}

/** What words begin after. */
const wordStart = new RegExp(`([-({[<${spaceClass}]+)`);

function title(value: Value, machine: Machine): Value {
  const text = textOf(soft(value, machine)) as string;
  machine.budget.takeText(text.length);
  let made = '';
  for (const part of text.split(wordStart)) {
    const [first = ''] = part;
    made += first.toUpperCase() + part.slice(first.length).toLowerCase();
  }
  return made;
}

function indent(value: Value, args: readonly (Value | undefined)[], machine: Machine): Value {
  const [width = 4n, first = false, blank = false] = args;
  const text = textArgument(value);
  const given = textOf(width);
  const by = given ?? spaces(wholeArgument(width), machine);
  const lines = linesOf(`${text}\n`, false, machine);
  machine.budget.takeText(text.length + lines.length * by.length);
  const isBlankToo = isTrue(blank);
  const made = lines
    .map((line, i) => (i > 0 && (isBlankToo || line !== '') ? by + line : line))
    .join('\n');
  const whole = isTrue(first) ? by + made : made;
  return value instanceof Markup ? new Markup(whole) : whole;
}

function spaces(count: number, { budget }: Machine): string {
  budget.takeText(Math.max(0, count));
  return ' '.repeat(Math.max(0, count));
}

function truncate(value: Value, args: readonly (Value | undefined)[], machine: Machine): Value {
  const [length = 255n, killwords = false, end = '...', leeway = null] = args;
  const [most, extra, ending] = [
    wholeArgument(length),
    optionalWhole(leeway, 5),
    textArgument(end),
  ];
  const room = most - characterCount(ending);
  if (room < 0 || extra < 0) {
    fail(`the length of truncate must be at least ${characterCount(ending)}, and its leeway 0`);
  }
  if (lengthOf(value) <= most + extra) {
    return value;
  }
  const text = textArgument(value);
  machine.budget.takeText(text.length);
  const cut = characterSlice(text, 0, room);
  const space = isTrue(killwords) ? -1 : cut.lastIndexOf(' ');
  return (space < 0 ? cut : cut.slice(0, space)) + ending;
}

export const textFilters: Filters = {
  string: filter('', (value, _, machine) => soft(value, machine)),
  upper: byMethod('', 'upper'),
  lower: byMethod('', 'lower'),
  trim: byMethod('chars?', 'strip'),
  capitalize: filter('', (value, _, machine) => {
    const text = soft(value, machine);
    const made = capitalized(textOf(text) as string);
    return text instanceof Markup ? new Markup(made) : made;
  }),
  title: filter('', (value, _, machine) => title(value, machine)),
  center: filter('width?', (value, [width = 80n], machine) => {
    const text = soft(value, machine);
    const made = centered(textOf(text) as string, wholeArgument(width), ' ', machine);
    return text instanceof Markup ? new Markup(made) : made;
  }),
  replace: filter('old new count?', (value, [old = null, fresh = null, count], machine) => {
    const [text, from, to] = [value, old, fresh].map((part) => strOf(part, machine.budget));
    return replaced(
      text as string,
      from as string,
      to as string,
      optionalWhole(count, -1),
      machine,
    );
  }),
  format: filter(null, (value, args, machine, named) => {
    if (args.length > 0 && named.size > 0) {
      fail("can't handle positional and keyword arguments at the same time");
    }
    const dict = new Dict();
    for (const [key, item] of named) {
      dict.entries.set(key, [key, item]);
    }
    const values = named.size > 0 ? dict : new Tuple(args as Value[]);
    return percentFormat(soft(value, machine), values, machine);
  }),
  indent: filter('width? first? blank?', indent),
  truncate: filter('length? killwords? end? leeway?', truncate),
  wordcount: filter('', (value, _, machine) => {
    const text = textOf(soft(value, machine)) as string;
    machine.budget.work(text.length);
    return BigInt(text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0);
  }),
};
