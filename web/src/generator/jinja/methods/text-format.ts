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
        const end = endOfField(text, brace + 1);
        made += this.#field(text.slice(brace + 1, end), levels);
        at = end + 1;
      }
      budget.checkText(made.length);
    }
    budget.takeText(made.length);
    return made;
  }

  #field(field: string, levels: number): string {
    const { budget } = this.#machine;
    const { name, conversion, spec } = partsOf(field);
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
    let value = this.#first(first);
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

  #first(name: string): Value {
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
    if (this.#isNumbered !== undefined && this.#isNumbered !== isManual) {
      fail('cannot switch between manual field specification and automatic field numbering');
    }
    this.#isNumbered = isManual;
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

function endOfField(text: string, from: number): number {
  let open = 1;
  let at = from;
  for (; at < text.length; at++) {
    open += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
    if (open === 0) {
      return at;
    }
  }
  return fail("expected '}' before end of string");
}

/** A name has neither `:` nor `!`, but in brackets. */
function partsOf(field: string): { name: string; conversion: string | undefined; spec: string } {
  let end = 0;
  for (let isInBrackets = false; end < field.length; end++) {
    const character = field[end];
    if (!isInBrackets && (character === ':' || character === '!')) {
      break;
    }
    isInBrackets = character === '[' || (isInBrackets && character !== ']');
  }
  const name = field.slice(0, end);
  if (field[end] !== '!') {
    return { name, conversion: undefined, spec: field.slice(end + 1) };
  }
  if (field.length > end + 2 && field[end + 2] !== ':') {
    fail("expected ':' after conversion specifier");
  }
  return { name, conversion: field[end + 1] ?? '', spec: field.slice(end + 3) };
}
