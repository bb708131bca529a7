// The operators of numbers, texts and lists.
import type { TemplateBudget } from '../base/budget.ts';
import { fail } from '../base/errors.ts';
import { checkBits, floatOf } from './float-text.ts';
import { sizeOf } from './iterate.ts';
import { escaped } from './text.ts';
import {
  isList,
  Markup,
  Tuple,
  textOf,
  typeName,
  Undefined,
  type Value,
  wholeOf,
} from './types.ts';

export type Operator = '+' | '-' | '*' | '/' | '//' | '%' | '**';

/** `%` of a text needs more than numbers do, so its caller brings it. */
type Formatter = (text: string | Markup, values: Value) => Value;

export function binary(
  sign: Operator,
  a: Value,
  b: Value,
  budget: TemplateBudget,
  format: Formatter,
): Value {
  if (sign === '%' && (typeof a === 'string' || a instanceof Markup)) {
    return format(a, b);
  }
  const found = ofNumbers(sign, a, b) ?? ofSequences(sign, a, b, budget);
  if (found !== undefined) {
    return found;
  }
  for (const value of [a, b]) {
    if (value instanceof Undefined) {
      fail(value.message);
    }
  }
  const name = sign === '**' ? '** or pow()' : sign;
  return fail(`unsupported operand type(s) for ${name}: '${typeName(a)}' and '${typeName(b)}'`);
}

function ofNumbers(sign: Operator, a: Value, b: Value): Value | undefined {
  const [x, y] = [wholeOf(a), wholeOf(b)];
  if (x !== undefined && y !== undefined) {
    return ofWholes(sign, x, y);
  }
  const isFloat = typeof a === 'number' || typeof b === 'number';
  const [s, t] = [asFloat(a), asFloat(b)];
  return isFloat && s !== undefined && t !== undefined ? ofFloats(sign, s, t) : undefined;
}

function asFloat(value: Value): number | undefined {
  const whole = wholeOf(value);
  return whole === undefined ? (typeof value === 'number' ? value : undefined) : floatOf(whole);
}

function ofWholes(sign: Operator, a: bigint, b: bigint): Value {
  switch (sign) {
    case '+':
      return checkBits(a + b);
    case '-':
      return checkBits(a - b);
    case '*':
      return checkBits(a * b);
    case '/':
      return b === 0n ? fail('division by zero') : quotient(a, b);
    case '//':
      return floorDivide(a, b);
    case '%':
      return a - floorDivide(a, b) * b;
    case '**':
      return power(a, b);
  }
}

/** The number nearest to a / b. */
function quotient(a: bigint, b: bigint): number {
  const [x, y] = [Number(a), Number(b)];
  if (Number.isSafeInteger(x) && Number.isSafeInteger(y)) {
    return x / y;
  }
  // 64 bits and one that says whether more follow are enough to round by.
  const [above, below] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const shift = BigInt(64 + bitsOf(below) - bitsOf(above));
  const [top, bottom] = shift > 0n ? [above << shift, below] : [above, below << -shift];
  const digits = (top / bottom) | (top % bottom === 0n ? 0n : 1n);
  const value = Number(digits) * 2 ** -Number(shift);
  return Number.isFinite(value)
    ? a < 0n === b < 0n
      ? value
      : -value
    : fail('integer division result too large for a float');
}

const bitsOf = (value: bigint): number => value.toString(2).length;

function floorDivide(a: bigint, b: bigint): bigint {
  if (b === 0n) {
    return fail('integer division or modulo by zero');
  }
  const whole = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? whole - 1n : whole;
}

function power(a: bigint, b: bigint): Value {
  if (b < 0n) {
    return floatPower(floatOf(a), floatOf(b));
  }
  const isSmall = a >= -1n && a <= 1n;
  // The result is known to be too large before it is made.
  const bits = isSmall ? 1n : BigInt(bitsOf(a < 0n ? -a : a) - 1) * b;
  checkBits(bits > 1_000_000n ? 1n << 1_000_000n : 1n << bits);
  return isSmall ? (a === -1n && b % 2n === 0n ? 1n : b === 0n ? 1n : a) : checkBits(a ** b);
}

function floatPower(a: number, b: number): number {
  if (a === 0 && b < 0) {
    fail('0.0 cannot be raised to a negative power');
  }
  if (a < 0 && Number.isFinite(a) && Number.isFinite(b) && !Number.isInteger(b)) {
    fail('complex numbers are not supported');
  }
  // Python knows every power of 1 and of -1.
  const value = a === 1 || b === 0 ? 1 : a === -1 && !Number.isFinite(b) ? 1 : a ** b;
  return !Number.isFinite(value) && Number.isFinite(a) && Number.isFinite(b)
    ? fail('Numerical result out of range')
    : value;
}

function ofFloats(sign: Operator, a: number, b: number): number {
  switch (sign) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? fail('float division by zero') : a / b;
    case '**':
      return floatPower(a, b);
    default:
      return floorFloats(sign, a, b);
  }
}

function floorFloats(sign: '//' | '%', a: number, b: number): number {
  if (b === 0) {
    fail(sign === '%' ? 'float modulo' : 'float floor division by zero');
  }
  let rest = a % b;
  let whole = (a - rest) / b;
  if (rest !== 0 && rest < 0 !== b < 0) {
    rest += b;
    whole -= 1;
  }
  if (sign === '%') {
    return rest === 0 ? (b < 0 ? -0 : 0) : rest;
  }
  const floor = Math.floor(whole);
  return whole === 0
    ? a / b < 0 || Object.is(a / b, -0)
      ? -0
      : 0
    : whole - floor > 0.5
      ? floor + 1
      : floor;
}

function ofSequences(
  sign: Operator,
  a: Value,
  b: Value,
  budget: TemplateBudget,
): Value | undefined {
  if (sign === '+') {
    return sum(a, b, budget);
  }
  if (sign !== '*') {
    return undefined;
  }
  const [x, y] = [wholeOf(a), wholeOf(b)];
  return y !== undefined
    ? repeated(a, y, budget)
    : x !== undefined
      ? repeated(b, x, budget)
      : undefined;
}

function sum(a: Value, b: Value, budget: TemplateBudget): Value | undefined {
  const [s, t] = [textOf(a), textOf(b)];
  if (s !== undefined && t !== undefined) {
    if (a instanceof Markup || b instanceof Markup) {
      const [x, y] = [escaped(a, budget).text, escaped(b, budget).text];
      budget.takeText(x.length + y.length);
      return new Markup(x + y);
    }
    budget.takeText(s.length + t.length);
    return s + t;
  }
  if (isList(a) && isList(b)) {
    budget.takeItems(a.length + b.length);
    return [...a, ...b];
  }
  if (a instanceof Tuple && b instanceof Tuple) {
    budget.takeItems(a.items.length + b.items.length);
    return new Tuple([...a.items, ...b.items]);
  }
  return undefined;
}

function repeated(value: Value, times: bigint, budget: TemplateBudget): Value | undefined {
  const text = textOf(value);
  const items = isList(value) ? value : value instanceof Tuple ? value.items : undefined;
  if (text === undefined && items === undefined) {
    return undefined;
  }
  const length = text?.length ?? sizeOf(value) ?? 0;
  const count = times > 0n ? times : 0n;
  // A product above every limit stays above it as a number.
  const total = length === 0 ? 0 : Number(count) * length;
  if (text !== undefined) {
    budget.takeText(total);
    const made = total === 0 ? '' : text.repeat(Number(count));
    return value instanceof Markup ? new Markup(made) : made;
  }
  budget.takeItems(total);
  const made = total === 0 ? [] : Array.from({ length: Number(count) }, () => items ?? []).flat();
  return isList(value) ? made : new Tuple(made);
}

export function unary(sign: '+' | '-', value: Value): Value {
  const whole = wholeOf(value);
  if (whole !== undefined) {
    return sign === '-' ? -whole : whole;
  }
  if (typeof value === 'number') {
    return sign === '-' ? -value : value;
  }
  return fail(
    value instanceof Undefined
      ? value.message
      : `bad operand type for unary ${sign}: '${typeName(value)}'`,
  );
}
