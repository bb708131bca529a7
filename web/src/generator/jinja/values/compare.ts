// `==`, `<` and `in`.
import type { TemplateBudget } from '../base/budget.ts';
import { fail } from '../base/errors.ts';
import { compareTexts } from './chars.ts';
import { itemsOf, sizeOf } from './iterate.ts';
import { hashOf } from './keys.ts';
import {
  Dict,
  isList,
  Range,
  Tuple,
  textOf,
  typeName,
  Undefined,
  type Value,
  View,
  wholeOf,
} from './types.ts';

/** The number of a value as something that JavaScript compares exactly. */
function numberOf(value: Value): number | bigint | undefined {
  return typeof value === 'number' ? value : wholeOf(value);
}

export function isEqual(a: Value, b: Value, budget: TemplateBudget): boolean {
  budget.step();
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) {
    // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number are equal by their values.
    return x == y;
  }
  const [s, t] = [textOf(a), textOf(b)];
  if (s !== undefined && t !== undefined) {
    budget.work(s.length);
    return s === t;
  }
  if (a instanceof Undefined || b instanceof Undefined) {
    return a instanceof Undefined && b instanceof Undefined;
  }
  return a === b || budget.inside(() => areEqualParts(a, b, budget));
}

function areEqualParts(a: Value, b: Value, budget: TemplateBudget): boolean {
  if (isList(a) && isList(b)) {
    return areEqualItems(a, b, budget);
  }
  if (a instanceof Tuple && b instanceof Tuple) {
    return areEqualItems(a.items, b.items, budget);
  }
  if (a instanceof Dict && b instanceof Dict) {
    return areEqualDicts(a, b, budget);
  }
  if (a instanceof Range && b instanceof Range) {
    const isSame = a.start === b.start && (a.length === 1 || a.step === b.step);
    return a.length === b.length && (a.length === 0 || isSame);
  }
  if (a instanceof View && b instanceof View && a.kind !== 'values' && b.kind !== 'values') {
    const items = [...a];
    return items.length === sizeOf(b) && items.every((item) => isIn(item, b, budget));
  }
  return false;
}

/** What is the same object counts as equal. */
function areEqualItems(a: readonly Value[], b: readonly Value[], budget: TemplateBudget): boolean {
  return a.length === b.length && a.every((item, i) => isSameOrEqual(item, b[i] as Value, budget));
}

export function isSameOrEqual(a: Value, b: Value, budget: TemplateBudget): boolean {
  return (a === b && typeof a === 'object') || isEqual(a, b, budget);
}

function areEqualDicts(a: Dict, b: Dict, budget: TemplateBudget): boolean {
  if (a.entries.size !== b.entries.size) {
    return false;
  }
  for (const [key, [, value]] of a.entries) {
    const other = b.entries.get(key);
    if (!other || !isSameOrEqual(value, other[1], budget)) {
      return false;
    }
  }
  return true;
}

/** Less than 0, 0, or more. NaN where no order is right. `sign` is for the message. */
export function order(a: Value, b: Value, sign: string, budget: TemplateBudget): number {
  budget.step();
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) {
    // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number are equal by their values.
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : Number.NaN;
  }
  const [s, t] = [textOf(a), textOf(b)];
  if (s !== undefined && t !== undefined) {
    budget.work(Math.min(s.length, t.length));
    return compareTexts(s, t);
  }
  if (isList(a) && isList(b)) {
    return budget.inside(() => orderItems(a, b, sign, budget));
  }
  if (a instanceof Tuple && b instanceof Tuple) {
    return budget.inside(() => orderItems(a.items, b.items, sign, budget));
  }
  for (const value of [a, b]) {
    if (value instanceof Undefined) {
      fail(value.message);
    }
  }
  return fail(`'${sign}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
}

function orderItems(
  a: readonly Value[],
  b: readonly Value[],
  sign: string,
  budget: TemplateBudget,
): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i] as Value, b[i] as Value];
    if (!isSameOrEqual(x, y, budget)) {
      return order(x, y, sign, budget);
    }
  }
  return a.length - b.length;
}

/** What `<`, `<=`, `>` and `>=` say. */
export function isOrdered(a: Value, b: Value, sign: string, budget: TemplateBudget): boolean {
  const by = order(a, b, sign, budget);
  return sign === '<' ? by < 0 : sign === '<=' ? by <= 0 : sign === '>' ? by > 0 : by >= 0;
}

export function isIn(item: Value, container: Value, budget: TemplateBudget): boolean {
  const text = textOf(container);
  if (text !== undefined) {
    const part = textOf(item);
    budget.work(text.length);
    return part === undefined
      ? fail(`'in <string>' requires string as left operand, not ${typeName(item)}`)
      : text.includes(part);
  }
  if (container instanceof Dict) {
    return container.entries.has(hashOf(item, budget));
  }
  if (container instanceof View && container.kind === 'keys') {
    return container.dict.entries.has(hashOf(item, budget));
  }
  if (container instanceof Range) {
    return isInRange(item, container);
  }
  for (const other of itemsOf(container, budget) ??
    fail(`argument of type '${typeName(container)}' is not iterable`)) {
    if (isSameOrEqual(item, other, budget)) {
      return true;
    }
  }
  return false;
}

function isInRange(item: Value, { start, step, length }: Range): boolean {
  const number = typeof item === 'number' && Number.isInteger(item) ? BigInt(item) : wholeOf(item);
  if (number === undefined || (number - start) % step !== 0n) {
    return false;
  }
  const index = (number - start) / step;
  return index >= 0n && index < BigInt(length);
}

/** Keeps the order of equal ones. */
export function sorted(
  items: readonly Value[],
  key: (item: Value) => Value,
  isReversed: boolean,
  budget: TemplateBudget,
): Value[] {
  budget.takeItems(items.length);
  const keyed = items.map((item) => [key(item), item] as const);
  // In reverse, equal ones keep their order too.
  keyed.sort(([a], [b]) => {
    const by = isReversed ? order(b, a, '<', budget) : order(a, b, '<', budget);
    return Number.isNaN(by) ? 0 : by;
  });
  return keyed.map(([, item]) => item);
}
