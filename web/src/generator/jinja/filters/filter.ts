// What a filter is.

import type { Bound, Machine } from '../methods/machine.ts';
import { Iteration, type Named, textOf, Undefined, type Value } from '../values/types.ts';

interface Filter {
  /** As of methods. `null` for a filter that takes whatever it is given. */
  readonly parameters: string | null;
  run(value: Value, args: Bound, machine: Machine, named: Named): Value;
}

export type Filters = Readonly<Record<string, Filter>>;

export function filter(parameters: string | null, run: Filter['run']): Filter {
  return { parameters, run };
}

/** Finds what `attribute` names in an item: `'a.b.0'`, or a number. */
export function attributeGetter(
  attribute: Value,
  machine: Machine,
  otherwise: Value = null,
): (item: Value) => Value {
  const parts = partsOf(attribute);
  return (item) => {
    let found = item;
    for (const part of parts) {
      found = machine.item(found, part);
      if (otherwise !== null && found instanceof Undefined) {
        found = otherwise;
      }
    }
    return found;
  };
}

function partsOf(attribute: Value): readonly Value[] {
  const text = textOf(attribute);
  if (text === undefined) {
    return attribute === null ? [] : [attribute];
  }
  return text.split('.').map((part) => (/^\d+$/.test(part) ? BigInt(part) : part));
}

/** As it is, or in small letters. */
export function keyMaker(isCaseSensitive: boolean): (value: Value) => Value {
  return (value) => {
    const text = textOf(value);
    return isCaseSensitive || text === undefined ? value : text.toLowerCase();
  };
}

/** A filter whose items come one by one. */
export function generator(
  parameters: string,
  name: string,
  make: (value: Value, args: Bound, machine: Machine) => Iterator<Value>,
) {
  return filter(
    parameters,
    (value, args, machine) => new Iteration(name, make(value, args, machine)),
  );
}
