// `'{} of {total}'.format(…)`.
import { fail } from '../base/errors.ts';
import { entryOf } from '../values/keys.ts';
import { escaped, reprOf, strOf } from '../values/text.ts';
import { Dict, Markup, type Named, orElse, type Value } from '../values/types.ts';
import { formatValue } from './format-spec.ts';
import type { Machine } from './machine.ts';

interface FormatValues {
  readonly args: readonly Value[];
  /** Names of the call, or the mapping of `format_map`. */
  readonly map: Named | Value;
}

interface Field {
  readonly name: string;
  readonly conversion: string | undefined;
  readonly spec: string;
  /** After the brace that closes it. */
  readonly end: number;
}

export function formatText(
  text: string,
  values: FormatValues,
  machine: Machine,
  isSafe: boolean,
): string {
  return new Formatting(values, machine, isSafe).format(text, 2);
}

class Formatting {
  readonly #values: FormatValues;
  readonly #machine: Machine;
  /** Whether the text is markup. */
  readonly #isSafe: boolean;
  #next = 0;
  #isNumbered: boolean | undefined;

  constructor(values: FormatValues, machine: Machine, isSafe: boolean) {
    this.#values = values;
    this.#machine = machine;
    this.#isSafe = isSafe;
  }

  /** Specifications may have fields too, one level deep. */
  format(text: string, levels: number): string {
    if (levels < 0) {
      fail('Max string recursion exceeded');
    }
    const { budget } = this.#machine;
    let made = '';
    let at = 0;
    while (at < text.length) {
      budget.step();
      const brace = nextBrace(text, at);
      made += text.slice(at, brace);
      if (brace === text.length) {
        break;
      }
      if (text[brace + 1] === text[brace]) {
        made += text[brace];
        at = brace + 2;
      } else if (text[brace] === '}') {
        fail("Single '}' encountered in format string");
      } else {
        const field = readField(text, brace + 1);
        made += this.#field(field, levels);
        at = field.end;
      }
      budget.checkText(made.length);
    }
    budget.takeText(made.length);
    return made;
  }

  #field({ name, conversion, spec }: Field, levels: number): string {
    const { budget } = this.#machine;
    let value = this.#value(name);
    if (conversion !== undefined) {
      value = this.#converted(value, conversion);
    }
    const inner = this.format(spec, levels - 1);
    const text = formatValue(value, inner, this.#machine);
    return this.#isSafe && !(value instanceof Markup) ? escaped(text, budget).text : text;
  }

  #converted(value: Value, conversion: string): Value {
    const { budget } = this.#machine;
    return conversion === 's'
      ? strOf(value, budget)
      : conversion === 'r'
        ? reprOf(value, budget)
        : fail(`the conversion '!${conversion}' of a format is not supported`);
  }

  #value(name: string): Value {
    const [first = ''] = /^[^.[]*/.exec(name) as RegExpExecArray;
    if (first === '' && name !== '') {
      fail("there is no key ''");
    }
    let value = this.#first(first, first === name);
    let rest = name.slice(first.length);
    while (rest !== '') {
      const [all, attribute, index] =
        /^(?:\.([^.[]+)|\[([^\]]+)\])/.exec(rest) ?? fail('Empty attribute in format string');
      value =
        attribute === undefined
          ? this.#machine.item(
              value,
              /^\d+$/.test(index as string) ? BigInt(index as string) : (index as string),
            )
          : this.#machine.attribute(value, attribute);
      rest = rest.slice(all.length);
    }
    return value;
  }

  /** Counting or numbers: fields with attributes decide nothing. */
  #first(name: string, isAlone: boolean): Value {
    const { args, map } = this.#values;
    const isNumbered = name === '' || /^\d+$/.test(name);
    if (!isNumbered) {
      const found =
        map instanceof Map
          ? (map as Named).get(name)
          : map instanceof Dict
            ? entryOf(map, name, this.#machine.budget)
            : fail('format_map() needs a mapping');
      return orElse(found, () => fail(`there is no key '${name}'`));
    }
    const isManual = name !== '';
    if (isAlone && (this.#isNumbered ?? isManual) !== isManual) {
      fail('cannot switch between manual field specification and automatic field numbering');
    }
    this.#isNumbered = isAlone ? isManual : this.#isNumbered;
    const at = isManual ? Number(name) : this.#next++;
    return orElse(args[at], () =>
      fail(`Replacement index ${at} out of range for positional args tuple`),
    );
  }
}

function nextBrace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '{' && text[at] !== '}') {
    at++;
  }
  return at;
}

/** Reads what is between braces. A name has no `{`, `}`, `:` and `!`, but in brackets. */
function readField(text: string, from: number): Field {
  let at = from;
  for (let isInBrackets = false; isInBrackets || !/[}:!]/.test(text[at] ?? '}'); at++) {
    if (at >= text.length) {
      fail("expected '}' before end of string");
    }
    if (text[at] === '{' && !isInBrackets) {
      fail("unexpected '{' in field name");
    }
    isInBrackets = text[at] === '[' || (isInBrackets && text[at] !== ']');
  }
  const name = text.slice(from, at);
  let conversion: string | undefined;
  if (text[at] === '!') {
    conversion = text[at + 1] ?? fail('end of string while looking for conversion specifier');
    at += 2;
    if (text[at] !== ':' && text[at] !== '}') {
      fail("expected ':' after conversion specifier");
    }
  }
  if (at >= text.length) {
    fail("expected '}' before end of string");
  }
  const start = text[at] === ':' ? at + 1 : at;
  const end = endOfSpec(text, start);
  return { name, conversion, spec: text.slice(start, end), end: end + 1 };
}

function endOfSpec(text: string, from: number): number {
  let open = 1;
  for (let at = from; at < text.length; at++) {
    open += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
    if (open === 0) {
      return at;
    }
  }
  return fail("unmatched '{' in format spec");
}
