// Filters that apply other filters, or tests, to each item.
import { fail } from '../base/errors.ts';
import { textArgument } from '../methods/arguments.ts';
import type { Bound, Machine } from '../methods/machine.ts';
import { isTrue, iterate } from '../values/iterate.ts';
import { Iteration, type Named, type Value } from '../values/types.ts';
import { attributeGetter, type Filters, filter } from './filter.ts';

function* map(value: Value, args: Bound, machine: Machine, named: Named): Generator<Value> {
  if (!isTrue(value)) {
    return;
  }
  const change = changer(args as Value[], machine, named);
  for (const item of iterate(value, machine.budget)) {
    yield change(item);
  }
}

function changer(args: readonly Value[], machine: Machine, named: Named): (item: Value) => Value {
  const attribute = named.get('attribute');
  if (args.length === 0 && attribute !== undefined) {
    const other = [...named.keys()].find((key) => key !== 'attribute' && key !== 'default');
    return other === undefined
      ? attributeGetter(attribute, machine, named.get('default') ?? null)
      : fail(`Unexpected keyword argument '${other}'`);
  }
  const [name, ...more] = args;
  if (name === undefined) {
    fail('map requires a filter argument');
  }
  return (item) => machine.filter(textArgument(name), [item, ...more], named);
}

function* select(
  value: Value,
  args: Bound,
  machine: Machine,
  named: Named,
  { byAttribute, wanted }: { readonly byAttribute: boolean; readonly wanted: boolean },
): Generator<Value> {
  if (!isTrue(value)) {
    return;
  }
  const given = args as readonly Value[];
  if (byAttribute && given.length === 0) {
    fail('Missing parameter for attribute name');
  }
  const get = byAttribute ? attributeGetter(given[0] as Value, machine) : (item: Value) => item;
  const [name, ...more] = byAttribute ? given.slice(1) : given;
  for (const item of iterate(value, machine.budget)) {
    const found = get(item);
    const isFound =
      name === undefined
        ? isTrue(found)
        : machine.test(textArgument(name), [found, ...more], named);
    if (isFound === wanted) {
      yield item;
    }
  }
}

function selector(name: string, byAttribute: boolean, wanted: boolean) {
  return filter(null, (value, args, machine, named) => {
    const items = select(value, args, machine, named, { byAttribute, wanted });
    return new Iteration(name, items);
  });
}

export const selectFilters: Filters = {
  map: filter(null, (value, args, machine, named) => {
    return new Iteration('sync_do_map', map(value, args, machine, named));
  }),
  select: selector('select_or_reject', false, true),
  reject: selector('select_or_reject', false, false),
  selectattr: selector('select_or_reject', true, true),
  rejectattr: selector('select_or_reject', true, false),
};
