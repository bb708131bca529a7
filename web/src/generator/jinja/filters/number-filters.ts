// Filters of numbers.
import { fail } from '../base/errors.ts';
import { optionalWhole, wholeArgument } from '../methods/arguments.ts';
import type { Bound, Machine } from '../methods/machine.ts';
import { binary } from '../values/arithmetic.ts';
import { isSpace, strip } from '../values/chars.ts';
import { floatOf, formatFloat, scaled } from '../values/float-text.ts';
import { isTrue } from '../values/iterate.ts';
import { textOf, typeName, Undefined, type Value, wholeOf } from '../values/types.ts';
import { type Filters, filter } from './filter.ts';

/** Digits of all scripts as those of ASCII. */
const plainDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) as number;
    let zero = code;
    // The ten digits of a script follow each other.
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) {
      zero--;
    }
    return code < 0x80 ? digit : String((code - zero) % 10);
  });

const longestNumber = 5000;

/** As Python's `int(text, base)`, or `undefined`. */
function wholeOfText(text: string, base: number): bigint | undefined {
  const stripped = strip(text, isSpace);
  if (stripped.length > longestNumber) {
    return undefined;
  }
  const [, sign = '', prefix = '', digits = ''] =
    /^([+-]?)(0[xXoObB]_?)?([\da-zA-Z]+(?:_[\da-zA-Z]+)*)$/.exec(plainDigits(stripped)) ?? [];
  const named = ({ x: 16, o: 8, b: 2 } as Record<string, number>)[prefix[1]?.toLowerCase() ?? ''];
  const isPrefixed = named !== undefined && (base === named || base === 0);
  const from = base === 0 ? (named ?? 10) : base;
  const all = (isPrefixed ? digits : prefix.replace('_', '') + digits)
    .replaceAll('_', '')
    .toLowerCase();
  if (all === '' || (base === 0 && !isPrefixed && /^0+[1-9]/.test(all))) {
    return undefined;
  }
  let value = 0n;
  for (const digit of all) {
    const one = Number.parseInt(digit, 36);
    if (one >= from) {
      return undefined;
    }
    value = value * BigInt(from) + BigInt(one);
  }
  return sign === '-' ? -value : value;
}

/** As Python's `float(text)`, or `undefined`. */
function floatOfText(text: string): number | undefined {
  const stripped = plainDigits(strip(text, isSpace));
  const special = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i.exec(stripped);
  if (special) {
    const size = special[2] ? Number.POSITIVE_INFINITY : Number.NaN;
    return special[1] === '-' ? -size : size;
  }
  const digits =
    /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/;
  return digits.test(stripped) ? Number(stripped.replaceAll('_', '')) : undefined;
}

function asFloat(value: Value): number | undefined {
  const text = textOf(value);
  if (text !== undefined) {
    return floatOfText(text);
  }
  const whole = wholeOf(value);
  if (whole !== undefined) {
    return floatOf(whole);
  }
  return typeof value === 'number'
    ? value
    : value instanceof Undefined
      ? fail(value.message)
      : undefined;
}

function toWhole(value: Value, [otherwise = 0n, base = 10n]: Bound): Value {
  const text = textOf(value);
  const radix = Number(wholeOf(base) ?? -1n);
  if (text !== undefined && radix !== 0 && (radix < 2 || radix > 36)) {
    return truncated(floatOfText(text), otherwise);
  }
  const whole = text === undefined ? wholeOf(value) : wholeOfText(text, radix);
  return whole ?? truncated(asFloat(value), otherwise);
}

function truncated(number: number | undefined, otherwise: Value): Value {
  if (number === undefined || Number.isNaN(number)) {
    return otherwise;
  }
  return Number.isFinite(number)
    ? BigInt(Math.trunc(number))
    : fail('cannot convert float infinity to integer');
}

function round(value: Value, [precision = 0n, method = 'common']: Bound, machine: Machine): Value {
  const kind = textOf(method);
  if (kind !== 'common' && kind !== 'ceil' && kind !== 'floor') {
    fail('method must be common, ceil or floor');
  }
  if (kind !== 'common') {
    return byPowers(value, precision, kind, machine);
  }
  const whole = wholeOf(value);
  if (whole !== undefined) {
    return roundedWhole(whole, wholeArgument(precision));
  }
  return typeof value === 'number'
    ? roundedFloat(value, optionalWhole(precision, 0))
    : fail(
        value instanceof Undefined
          ? value.message
          : `type ${typeName(value)} doesn't define __round__ method`,
      );
}

const noText = () => fail('a number is needed');

function byPowers(
  value: Value,
  precision: Value,
  kind: 'ceil' | 'floor',
  { budget }: Machine,
): Value {
  const power = binary('**', 10n, precision, budget, noText);
  const product = binary('*', value, power, budget, noText);
  if (typeof product !== 'number' && wholeOf(product) === undefined) {
    noText();
  }
  const whole = typeof product === 'number' ? wholeFloat(Math[kind](product)) : product;
  return binary('/', whole, power, budget, noText);
}

function wholeFloat(value: number): bigint {
  return Number.isFinite(value) ? BigInt(value) : fail('cannot convert float infinity to integer');
}

function roundedWhole(value: bigint, places: number): bigint {
  if (places >= 0) {
    return value;
  }
  if (places < -longestNumber) {
    return 0n;
  }
  const unit = 10n ** BigInt(-places);
  const size = value < 0n ? -value : value;
  const [whole, rest] = [size / unit, (size % unit) * 2n];
  const isUp = rest > unit || (rest === unit && whole % 2n === 1n);
  const made = (isUp ? whole + 1n : whole) * unit;
  return value < 0n ? -made : made;
}

function roundedFloat(value: number, places: number): number {
  if (!Number.isFinite(value) || places > 323) {
    return value;
  }
  if (places < -308) {
    return value < 0 ? -0 : 0;
  }
  const sign = value < 0 || Object.is(value, -0) ? -1 : 1;
  const size =
    places < 0
      ? Number(scaled(value, places) * 10n ** BigInt(-places))
      : Number(formatFloat(Math.abs(value), 'f', places));
  return sign * size;
}

function absolute(value: Value): Value {
  const whole = wholeOf(value);
  if (whole !== undefined) {
    return whole < 0n ? -whole : whole;
  }
  return typeof value === 'number'
    ? Math.abs(value)
    : fail(
        value instanceof Undefined
          ? value.message
          : `bad operand type for abs(): '${typeName(value)}'`,
      );
}

function fileSize(value: Value, [binaryUnits = false]: Bound): Value {
  const bytes = asFloat(value) ?? fail(`could not convert to float: ${typeName(value)}`);
  const isBinary = isTrue(binaryUnits);
  const base = isBinary ? 1024 : 1000;
  if (bytes === 1) {
    return '1 Byte';
  }
  if (bytes < base) {
    return `${Math.trunc(bytes)} Bytes`;
  }
  const prefixes = 'kMGTPEZY';
  let at = 0;
  while (at < prefixes.length - 1 && bytes >= base ** (at + 2)) {
    at++;
  }
  const prefix = isBinary ? `${(prefixes[at] as string).toUpperCase()}iB` : `${prefixes[at]}B`;
  return `${formatFloat((base * bytes) / base ** (at + 2), 'f', 1)} ${prefix}`;
}

export const numberFilters: Filters = {
  abs: filter('', absolute),
  int: filter('default? base?', toWhole),
  float: filter('default?', (value, [otherwise = 0]) => asFloat(value) ?? otherwise),
  round: filter('precision? method?', round),
  filesizeformat: filter('binary?', fileSize),
};
