// Going through values, and what `len()` and `bool()` say of them.
import type { TemplateBudget } from '../base/budget.ts';
import { fail } from '../base/errors.ts';
import { characterCount, charactersOf } from './chars.ts';
import {
  Dict,
  Iteration,
  isList,
  Range,
  Tuple,
  textOf,
  typeName,
  Undefined,
  type Value,
  View,
} from './types.ts';

/** The items of a value, or `undefined` where it has none. */
export function itemsOf(value: Value, budget: TemplateBudget): Iterable<Value> | undefined {
  if (isList(value)) {
    return counted(value, budget);
  }
  const text = textOf(value);
  if (text !== undefined) {
    budget.takeItems(text.length);
    return charactersOf(text);
  }
  if (value instanceof Tuple) {
    return counted(value.items, budget);
  }
  if (value instanceof Dict) {
    return counted(new View('keys', value), budget);
  }
  if (value instanceof View || value instanceof Iteration) {
    return counted(value, budget);
  }
  if (value instanceof Range) {
    return counted(rangeItems(value), budget);
  }
  return value instanceof Undefined ? [] : undefined;
}

function* rangeItems(range: Range): Generator<Value> {
  for (let at = 0; at < range.length; at++) {
    yield range.at(at);
  }
}

function* counted(items: Iterable<Value>, budget: TemplateBudget): Generator<Value> {
  // Not a loop of `for`, which would end an iteration that has more to give.
  const iterator = items[Symbol.iterator]();
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    budget.takeItems(1);
    yield next.value;
  }
}

export function iterate(value: Value, budget: TemplateBudget): Iterable<Value> {
  return itemsOf(value, budget) ?? fail(`'${typeName(value)}' object is not iterable`);
}

/** A list of the items. */
export function listOf(value: Value, budget: TemplateBudget): Value[] {
  return [...iterate(value, budget)];
}

/** `undefined` where Python's `len()` fails. */
export function sizeOf(value: Value): number | undefined {
  if (isList(value)) {
    return value.length;
  }
  const text = textOf(value);
  if (text !== undefined) {
    return characterCount(text);
  }
  if (value instanceof Tuple) {
    return value.items.length;
  }
  if (value instanceof Dict) {
    return value.entries.size;
  }
  if (value instanceof View) {
    return value.dict.entries.size;
  }
  if (value instanceof Range) {
    return value.length;
  }
  return value instanceof Undefined ? 0 : undefined;
}

export function lengthOf(value: Value): number {
  return sizeOf(value) ?? fail(`object of type '${typeName(value)}' has no len()`);
}

export function isTrue(value: Value): boolean {
  if (typeof value !== 'object') {
    // Numbers that are not zero, also one that is no number, and texts that are not empty.
    return typeof value === 'number' ? value !== 0 : Boolean(value);
  }
  if (value === null) {
    return false;
  }
  return textOf(value) !== undefined ? textOf(value) !== '' : sizeOf(value) !== 0;
}
