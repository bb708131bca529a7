// `object.name` and `object[index]`, as jinja2's sandbox finds them.
import { fail } from '../base/errors.ts';
import { isSameOrEqual } from '../values/compare.ts';
import { itemAt } from '../values/items.ts';
import { listOf } from '../values/iterate.ts';
import { entryOf } from '../values/keys.ts';
import { reprOf } from '../values/text.ts';
import {
  Callable,
  Counter,
  Dict,
  isList,
  Markup,
  Namespace,
  orElse,
  Range,
  Tuple,
  textOf,
  typeName,
  Undefined,
  type Value,
  View,
} from '../values/types.ts';
import { optionalWhole } from './arguments.ts';
import { boundMethod, type Machine, type Methods, method } from './machine.ts';
import { textMethod } from './text-methods.ts';

const listMethods: Methods<readonly Value[]> = {
  count: method('/value', (items, [value], { budget }) => {
    budget.work(items.length);
    return BigInt(items.filter((item) => isSameOrEqual(item, value ?? null, budget)).length);
  }),
  index: method('/value start? stop?', (items, [value, start, stop], { budget }) => {
    const place = (at: number) => Math.max(0, at < 0 ? at + items.length : at);
    const to = Math.min(items.length, place(optionalWhole(stop, items.length)));
    for (let at = place(optionalWhole(start, 0)); at < to; at++) {
      if (isSameOrEqual(items[at] as Value, value ?? null, budget)) {
        return BigInt(at);
      }
    }
    return fail(`${reprOf(value ?? null, budget)} is not in list`);
  }),
};

const dictMethods: Methods<Dict> = {
  get: method('/key default?', (dict, [key, otherwise = null], { budget }) => {
    return orElse(entryOf(dict, key ?? null, budget), () => otherwise);
  }),
  keys: method('/', (dict) => new View('keys', dict)),
  values: method('/', (dict) => new View('values', dict)),
  items: method('/', (dict) => new View('items', dict)),
  copy: method('/', (dict) => dict),
};

/** What the sandbox forbids, as it would change a value. */
const changing = {
  dict: ['clear', 'pop', 'popitem', 'setdefault', 'update'],
  list: ['append', 'clear', 'extend', 'insert', 'pop', 'remove', 'reverse', 'sort'],
};

/** What Python's values have and templates hardly use. */
const refused: Readonly<Record<string, readonly string[]>> = {
  int: 'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes'.split(
    ' ',
  ),
  float: 'as_integer_ratio conjugate fromhex hex imag is_integer real'.split(' '),
  dict: ['fromkeys'],
  dict_keys: ['isdisjoint', 'mapping'],
  dict_values: ['mapping'],
  dict_items: ['isdisjoint', 'mapping'],
  generator: ['close', 'send', 'throw'],
};

/** What every object of Python has. */
const internal =
  /^__(class|dict|doc|init|new|repr|str|eq|ne|lt|le|gt|ge|hash|dir|format|getattribute|setattr|delattr|reduce|reduce_ex|sizeof|subclasshook|init_subclass|module)__$/;

/** What the object has by itself, or `undefined`. */
function ownAttribute(object: Value, name: string, machine: Machine): Value | undefined {
  if (internal.test(name)) {
    return unsafe(object, name);
  }
  if (typeof object === 'string' || object instanceof Markup) {
    return textMethod(object, name, machine);
  }
  if (object instanceof Dict) {
    return changing.dict.includes(name)
      ? unsafe(object, name)
      : refuse(object, name, boundMethod(dictMethods, object, name, machine));
  }
  if (isList(object)) {
    return changing.list.includes(name)
      ? unsafe(object, name)
      : name === 'copy'
        ? new Callable(name, () => object)
        : boundMethod(listMethods, object, name, machine);
  }
  if (object instanceof Tuple) {
    const named = object.items[object.names.indexOf(name)];
    return named === undefined ? boundMethod(listMethods, object.items, name, machine) : named;
  }
  if (object instanceof Namespace) {
    const value = entryOf(object.dict, name, machine.budget);
    return value !== undefined && name.startsWith('_') ? unsafe(object, name) : value;
  }
  return otherAttribute(object, name, machine);
}

function otherAttribute(object: Value, name: string, machine: Machine): Value | undefined {
  if (object instanceof Counter) {
    return object.attribute(name);
  }
  if (object instanceof Callable) {
    return object.attributes.get(name);
  }
  if (object instanceof Range && (name === 'start' || name === 'stop' || name === 'step')) {
    return object[name];
  }
  if (object instanceof Range && (name === 'count' || name === 'index')) {
    return boundMethod(listMethods, listOf(object, machine.budget), name, machine);
  }
  return refuse(object, name, undefined);
}

function refuse(object: Value, name: string, found: Value | undefined): Value | undefined {
  const type = typeof object === 'boolean' ? 'int' : typeName(object);
  return found === undefined && refused[type]?.includes(name)
    ? fail(`'${name}' of a ${type} is not supported`)
    : found;
}

const unsafe = (object: Value, name: string): Undefined =>
  new Undefined(
    () => `access to attribute '${name}' of '${typeName(object)}' object is unsafe.`,
    true,
  );

/** Where neither an attribute nor an item is found. */
function missing(object: Value, name: Value, machine: Machine): Undefined {
  return new Undefined(() => {
    const text = textOf(name);
    const type = object === null ? 'None' : `${typeName(object)} object`;
    return text === undefined
      ? `${type} has no element ${reprOf(name, machine.budget)}`
      : `'${type}' has no attribute '${text}'`;
  });
}

export function attributeOf(object: Value, name: string, machine: Machine): Value {
  if (object instanceof Undefined) {
    return internal.test(name) ? unsafe(object, name) : fail(object.message);
  }
  return orElse(ownAttribute(object, name, machine), () =>
    orElse(itemAt(object, name, machine.budget), () => missing(object, name, machine)),
  );
}

export function itemOf(object: Value, index: Value, machine: Machine): Value {
  const found = itemAt(object, index, machine.budget);
  if (found !== undefined) {
    return found;
  }
  const name = textOf(index);
  const own = name === undefined ? undefined : ownAttribute(object, name, machine);
  return orElse(own, () => missing(object, index, machine));
}

/** Whether a value is what `callable` means. */
export function isCallable(value: Value): boolean {
  return (
    value instanceof Callable ||
    value instanceof Undefined ||
    (value instanceof Counter && ['LoopContext', 'Cycler', 'Joiner'].includes(value.typeName))
  );
}
