// Filters of lists and dicts.
import { fail } from '../base/errors.ts';
import { textArgument, wholeArgument } from '../methods/arguments.ts';
import type { Machine } from '../methods/machine.ts';
import { joined } from '../methods/text-pad.ts';
import { binary } from '../values/arithmetic.ts';
import { sliceOf } from '../values/items.ts';
import { isTrue, itemsOf, iterate, lengthOf, listOf } from '../values/iterate.ts';
import { strOf } from '../values/text.ts';
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
} from '../values/types.ts';
import { attributeGetter, type Filters, filter, generator } from './filter.ts';

type Args = readonly (Value | undefined)[];

const empty = (what: string) => new Undefined(() => `No ${what} item, sequence was empty.`);

/** The items from the last one on. */
function backwards(value: Value, { budget }: Machine): Value[] | undefined {
  const isReversible =
    isList(value) ||
    value instanceof Tuple ||
    value instanceof Dict ||
    value instanceof View ||
    value instanceof Range ||
    value instanceof Undefined ||
    textOf(value) !== undefined;
  return isReversible ? listOf(value, budget).reverse() : undefined;
}

function last(value: Value, machine: Machine): Value {
  const items = backwards(value, machine) ?? fail(`'${typeName(value)}' object is not reversible`);
  return items[0] === undefined ? empty('last') : items[0];
}

function first(value: Value, { budget }: Machine): Value {
  const { value: item, done } = iterate(value, budget)[Symbol.iterator]().next();
  return done ? empty('first') : item;
}

function reverse(value: Value, machine: Machine): Value {
  if (textOf(value) !== undefined) {
    return sliceOf(value, { from: null, to: null, by: -1n }, machine.budget);
  }
  const items = backwards(value, machine);
  if (items) {
    const name = isList(value) ? 'list_reverseiterator' : 'reversed';
    return new Iteration(name, items.values());
  }
  return itemsOf(value, machine.budget)
    ? listOf(value, machine.budget).reverse()
    : fail('argument must be iterable');
}

function* batch(
  value: Value,
  [count = null, fill = null]: Args,
  { budget }: Machine,
): Generator<Value> {
  const size = typeof count === 'number' ? count : Number(count);
  let items: Value[] = [];
  for (const item of iterate(value, budget)) {
    if (items.length === size) {
      yield items;
      items = [];
    }
    items.push(item);
  }
  if (items.length > 0) {
    if (fill !== null && items.length < size) {
      const missing = size - items.length;
      wholeArgument(count);
      budget.takeItems(missing);
      items = [...items, ...new Array<Value>(missing).fill(fill)];
    }
    yield items;
  }
}

function* slices(
  value: Value,
  [count = null, fill = null]: Args,
  { budget }: Machine,
): Generator<Value> {
  const items = listOf(value, budget);
  const parts = wholeArgument(count);
  if (parts === 0) {
    fail('integer division or modulo by zero');
  }
  const [each, more] = [Math.floor(items.length / parts), ((items.length % parts) + parts) % parts];
  let at = 0;
  for (let part = 0; part < parts; part++) {
    const size = each + (part < more ? 1 : 0);
    budget.takeItems(size + 1);
    const slice = items.slice(at, at + size);
    at += size;
    yield fill !== null && part >= more ? [...slice, fill] : slice;
  }
}

function join(value: Value, [separator = '', attribute = null]: Args, machine: Machine): Value {
  const { budget } = machine;
  const get = attributeGetter(attribute, machine);
  const texts: string[] = [];
  let length = 0;
  for (const item of iterate(value, budget)) {
    const text = strOf(get(item), budget);
    length += text.length;
    budget.checkText(length);
    texts.push(text);
  }
  return joined(strOf(separator, budget), texts, machine);
}

function sum(value: Value, [attribute = null, start = 0n]: Args, machine: Machine): Value {
  if (textOf(start) !== undefined) {
    fail("sum() can't sum strings [use ''.join(seq) instead]");
  }
  const get = attributeGetter(attribute, machine);
  let total = start;
  for (const item of iterate(value, machine.budget)) {
    total = binary('+', total, get(item), machine.budget, () => fail('no text'));
  }
  return total;
}

function* pairs(value: Value): Generator<Value> {
  if (value instanceof Dict) {
    yield* new View('items', value);
  } else if (!(value instanceof Undefined)) {
    fail('Can only get item pairs from a mapping.');
  }
}

const count = filter('', (value) => BigInt(lengthOf(value)));
const otherwise = filter('default_value? boolean?', (value, [given = '', boolean = false]) =>
  value instanceof Undefined || (isTrue(boolean) && !isTrue(value)) ? given : value,
);

export const listFilters: Filters = {
  length: count,
  count,
  default: otherwise,
  d: otherwise,
  list: filter('', (value, _, { budget }) => listOf(value, budget)),
  first: filter('', (value, _, machine) => first(value, machine)),
  last: filter('', (value, _, machine) => last(value, machine)),
  reverse: filter('', (value, _, machine) => reverse(value, machine)),
  batch: generator('linecount fill_with?', 'do_batch', batch),
  slice: generator('slices fill_with?', 'sync_do_slice', slices),
  join: filter('d? attribute?', join),
  sum: filter('attribute? start?', sum),
  items: generator('', 'do_items', pairs),
  attr: filter('name', (value, [name = null], machine) => {
    const text = textArgument(name);
    // An item is no attribute.
    return value instanceof Dict && value.entries.has(text) && !isDictAttribute(text)
      ? new Undefined(() => `'dict object' has no attribute '${text}'`)
      : machine.attribute(value, text);
  }),
};

const isDictAttribute = (name: string): boolean =>
  /^(get|keys|values|items|copy|fromkeys|clear|pop|popitem|setdefault|update|__.*__)$/.test(name);
