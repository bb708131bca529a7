// What dicts find their keys by: keys that are equal in Python have one.
import type { TemplateBudget } from '../base/budget.ts';
import { fail } from '../base/errors.ts';
import {
  Dict,
  isList,
  type Key,
  Markup,
  Tuple,
  typeName,
  Undefined,
  type Value,
  View,
} from './types.ts';

/** `undefined` for a value that cannot be a key. */
export function keyOf(value: Value, budget: TemplateBudget): Key | undefined {
  if (value instanceof Markup) {
    return keyOf(value.text, budget);
  }
  if (typeof value === 'string') {
    // Texts that begin so could be taken for tuples.
    return value.startsWith('\0') ? `\0${value}` : value;
  }
  if (typeof value === 'boolean') {
    return BigInt(value);
  }
  if (typeof value === 'number') {
    return Number.isInteger(value) ? BigInt(value) : value;
  }
  if (value instanceof Undefined) {
    return Undefined;
  }
  if (value instanceof Tuple) {
    return budget.inside(() => tupleKey(value, budget));
  }
  return isList(value) || value instanceof Dict || value instanceof View ? undefined : value;
}

/** Objects in tuples have a number each. */
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

function tupleKey({ items }: Tuple, budget: TemplateBudget): Key | undefined {
  let text = '\0(';
  for (const item of items) {
    budget.step();
    const key = keyOf(item, budget);
    if (key === undefined) {
      return undefined;
    }
    if (typeof key === 'object' && key !== null && !numbers.has(key)) {
      numbers.set(key, ++lastNumber);
    }
    const part = typeof key === 'object' && key !== null ? numbers.get(key) : key;
    text += `${typeof key} ${String(part).length}:${part}`;
    budget.checkText(text.length);
  }
  budget.takeText(text.length);
  return text;
}

export function hashOf(value: Value, budget: TemplateBudget): Key {
  const key = keyOf(value, budget);
  return key === undefined ? fail(`unhashable type: '${typeName(value)}'`) : key;
}

export function setEntry(dict: Dict, key: Value, value: Value, budget: TemplateBudget): void {
  const found = hashOf(key, budget);
  // The first of equal keys stays.
  dict.entries.set(found, [dict.entries.get(found)?.[0] ?? key, value]);
}

/** The value of a key, or `undefined`. */
export function entryOf(dict: Dict, key: Value, budget: TemplateBudget): Value | undefined {
  return dict.entries.get(hashOf(key, budget))?.[1];
}
