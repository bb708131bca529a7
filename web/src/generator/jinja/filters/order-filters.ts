// Filters that put items in order, or find equal ones.
import { fail } from '../base/errors.ts';
import { wholeArgument } from '../methods/arguments.ts';
import type { Bound, Machine } from '../methods/machine.ts';
import { isEqual, order, sorted } from '../values/compare.ts';
import { isTrue, iterate, listOf } from '../values/iterate.ts';
import { hashOf } from '../values/keys.ts';
import {
  Dict,
  type Key,
  Tuple,
  textOf,
  typeName,
  Undefined,
  type Value,
  View,
} from '../values/types.ts';
import { attributeGetter, type Filters, filter, generator, keyMaker } from './filter.ts';

const isReversed = (reverse: Value): boolean => wholeArgument(reverse) !== 0;

function sort(
  value: Value,
  [reverse = false, isCaseSensitive = false, attribute = null]: Bound,
  machine: Machine,
): Value {
  const fold = keyMaker(isTrue(isCaseSensitive));
  const text = textOf(attribute);
  const getters = (text === undefined ? [attribute] : text.split(',')).map((part) =>
    attributeGetter(part, machine),
  );
  const key = (item: Value) => getters.map((get) => fold(get(item)));
  return sorted(listOf(value, machine.budget), key, isReversed(reverse), machine.budget);
}

function dictSort(
  value: Value,
  [isCaseSensitive = false, by = 'key', reverse = false]: Bound,
  machine: Machine,
): Value {
  const at =
    textOf(by) === 'key'
      ? 0
      : textOf(by) === 'value'
        ? 1
        : fail('You can only sort by either "key" or "value"');
  if (!(value instanceof Dict)) {
    return fail(
      value instanceof Undefined
        ? value.message
        : `'${typeName(value)}' object has no attribute 'items'`,
    );
  }
  const fold = keyMaker(isTrue(isCaseSensitive));
  const key = (item: Value) => fold((item as Tuple).items[at] as Value);
  return sorted([...new View('items', value)], key, isReversed(reverse), machine.budget);
}

function* unique(
  value: Value,
  [isCaseSensitive = false, attribute = null]: Bound,
  machine: Machine,
): Generator<Value> {
  const [get, fold] = [attributeGetter(attribute, machine), keyMaker(isTrue(isCaseSensitive))];
  const seen = new Set<Key>();
  for (const item of iterate(value, machine.budget)) {
    const key = hashOf(fold(get(item)), machine.budget);
    if (!seen.has(key)) {
      seen.add(key);
      yield item;
    }
  }
}

function extreme(sign: '<' | '>') {
  return filter(
    'case_sensitive? attribute?',
    (value, [isCaseSensitive = false, attribute = null], machine) => {
      const { budget } = machine;
      const [get, fold] = [attributeGetter(attribute, machine), keyMaker(isTrue(isCaseSensitive))];
      let best: readonly [key: Value, item: Value] | undefined;
      for (const item of iterate(value, budget)) {
        const key = fold(get(item));
        const by = best ? order(key, best[0], sign, budget) : 0;
        if (!best || (sign === '<' ? by < 0 : by > 0)) {
          best = [key, item];
        }
      }
      return best ? best[1] : new Undefined(() => 'No aggregated item, sequence was empty.');
    },
  );
}

function groupBy(
  value: Value,
  [attribute = null, otherwise = null, isCaseSensitive = false]: Bound,
  machine: Machine,
): Value {
  const { budget } = machine;
  const fold = keyMaker(isTrue(isCaseSensitive));
  const get = attributeGetter(attribute, machine, otherwise);
  const key = (item: Value) => fold(get(item));
  const groups: { key: Value; items: Value[] }[] = [];
  for (const item of sorted(listOf(value, budget), key, false, budget)) {
    const group = groups.at(-1);
    if (group && isEqual(group.key, key(item), budget)) {
      group.items.push(item);
    } else {
      groups.push({ key: key(item), items: [item] });
    }
  }
  return groups.map(({ key: found, items }) => {
    const shown = isTrue(isCaseSensitive) ? found : get(items[0] as Value);
    return new Tuple([shown, items], ['grouper', 'list']);
  });
}

export const orderFilters: Filters = {
  sort: filter('reverse? case_sensitive? attribute?', sort),
  dictsort: filter('case_sensitive? by? reverse?', dictSort),
  unique: generator('case_sensitive? attribute?', 'do_unique', unique),
  min: extreme('<'),
  max: extreme('>'),
  groupby: filter('attribute default? case_sensitive?', groupBy),
};
