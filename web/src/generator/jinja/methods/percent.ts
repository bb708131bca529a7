// `'%s of %d' % (…)`.
import { fail } from '../base/errors.ts';
import { characterCount, characterSlice } from '../values/chars.ts';
import { checkBits, floatOf, formatFloat } from '../values/float-text.ts';
import { entryOf } from '../values/keys.ts';
import { escaped, reprOf, strOf } from '../values/text.ts';
import {
  Dict,
  Markup,
  orElse,
  Range,
  Tuple,
  textOf,
  typeName,
  Undefined,
  type Value,
  wholeOf,
} from '../values/types.ts';
import { wholeArgument } from './arguments.ts';
import type { Machine } from './machine.ts';
import { padded } from './text-pad.ts';

const field = /%(?:\(([^()]*)\))?([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?[hlL]?(.)?/gsu;

export function percentFormat(text: string | Markup, values: Value, machine: Machine): Value {
  const { budget } = machine;
  const format = textOf(text) as string;
  const queue = values instanceof Tuple ? values.items : [values];
  let used = 0;
  const next = () =>
    used < queue.length ? (queue[used++] as Value) : fail('not enough arguments for format string');
  let length = format.length;
  const made = format.replace(field, (all, key, flags, width, precision, kind) => {
    if (kind === undefined) {
      fail('incomplete format');
    }
    if (all === '%%') {
      return '%';
    }
    const value = () => (key === undefined ? next() : entryFor(values, key, machine));
    const numbers = [width, precision].map((part) =>
      part === '*' ? wholeArgument(next()) : part === undefined ? undefined : Number(part),
    );
    const part = new Field(flags, numbers, kind, text instanceof Markup, machine).of(value());
    length += part.length;
    budget.checkText(length);
    return part;
  });
  budget.takeText(made.length);
  // For Python whatever has items by index or key may be a mapping.
  const isMapping = [Dict, Array, Range, Undefined].some((type) => values instanceof type);
  if (used < queue.length && !isMapping) {
    fail('not all arguments converted during string formatting');
  }
  return text instanceof Markup ? new Markup(made) : made;
}

function entryFor(values: Value, key: string, { budget }: Machine): Value {
  if (!(values instanceof Dict)) {
    return fail('format requires a mapping');
  }
  return orElse(entryOf(values, key, budget), () => fail(`there is no key '${key}'`));
}

class Field {
  readonly #isLeft: boolean;
  readonly #flags: string;
  readonly #width: number;
  readonly #precision: number | undefined;
  readonly #kind: string;
  readonly #isSafe: boolean;
  readonly #machine: Machine;

  constructor(
    flags: string,
    [width = 0, precision]: readonly (number | undefined)[],
    kind: string,
    isSafe: boolean,
    machine: Machine,
  ) {
    this.#flags = flags;
    this.#isLeft = flags.includes('-') || width < 0;
    this.#width = Math.abs(width);
    this.#precision = precision;
    this.#kind = kind;
    this.#isSafe = isSafe;
    this.#machine = machine;
  }

  of(value: Value): string {
    const { budget } = this.#machine;
    switch (this.#kind) {
      case 's':
        return this.#text(this.#isSafe ? escaped(value, budget).text : strOf(value, budget));
      case 'r':
      case 'a':
        return this.#text(
          this.#kind === 'a' ? ascii(reprOf(value, budget)) : reprOf(value, budget),
        );
      case 'c':
        return this.#text(characterOf(value));
      case 'd':
      case 'i':
      case 'u':
        return this.#whole(value, 10, true);
      case 'x':
      case 'X':
        return this.#whole(value, 16, false);
      case 'o':
        return this.#whole(value, 8, false);
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        return this.#float(value);
    }
    return fail(`unsupported format character '${this.#kind}'`);
  }

  #text(text: string): string {
    const cut = this.#precision === undefined ? text : characterSlice(text, 0, this.#precision);
    return this.#pad('', cut);
  }

  #sign(isNegative: boolean): string {
    const positive = this.#flags.includes('+') ? '+' : this.#flags.includes(' ') ? ' ' : '';
    return isNegative ? '-' : positive;
  }

  #whole(value: Value, base: number, takesFloat: boolean): string {
    const whole =
      wholeOf(value) ?? (takesFloat && typeof value === 'number' ? truncated(value) : undefined);
    if (whole === undefined) {
      return this.#failNumber(value, takesFloat ? 'a real number' : 'an integer');
    }
    checkBits(whole);
    const digits = (whole < 0n ? -whole : whole).toString(base);
    this.#machine.budget.checkText(this.#precision ?? 0);
    const filled = digits.padStart(this.#precision ?? 0, '0');
    const prefix =
      this.#flags.includes('#') && base !== 10 ? `0${base === 8 ? 'o' : this.#kind}` : '';
    return this.#pad(
      this.#sign(whole < 0n) + prefix,
      this.#kind === 'X' ? filled.toUpperCase() : filled,
      true,
    );
  }

  #float(value: Value): string {
    const whole = wholeOf(value);
    const number = whole === undefined ? value : floatOf(whole);
    if (typeof number !== 'number') {
      return this.#failNumber(value, 'a real number');
    }
    const isNegative = number < 0 || Object.is(number, -0);
    const isAlternate = this.#flags.includes('#');
    const text = formatFloat(Math.abs(number), this.#kind, this.#precision ?? 6, isAlternate);
    return this.#pad(this.#sign(isNegative), text, true);
  }

  #failNumber(value: Value, wanted: string): never {
    if (value instanceof Undefined) {
      fail(value.message);
    }
    return fail(`%${this.#kind} format: ${wanted} is required, not ${typeName(value)}`);
  }

  #pad(head: string, text: string, isNumber = false): string {
    const missing = Math.max(0, this.#width - characterCount(head) - characterCount(text));
    if (this.#isLeft) {
      return head + padded(text, 0, missing, ' ', this.#machine);
    }
    return isNumber && this.#flags.includes('0')
      ? head + padded(text, missing, 0, '0', this.#machine)
      : padded(head + text, missing, 0, ' ', this.#machine);
  }
}

function truncated(value: number): bigint {
  return Number.isFinite(value)
    ? BigInt(Math.trunc(value))
    : fail(`cannot convert float ${value} to integer`);
}

function characterOf(value: Value): string {
  const text = textOf(value);
  const whole = wholeOf(value);
  if (whole !== undefined && whole >= 0n && whole < 0x110000n) {
    return String.fromCodePoint(Number(whole));
  }
  return text !== undefined && characterCount(text) === 1 ? text : fail('%c requires int or char');
}

function ascii(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (character) => {
    const code = character.codePointAt(0) as number;
    const [mark, length] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8];
    return `\\${mark}${code.toString(16).padStart(length as number, '0')}`;
  });
}
