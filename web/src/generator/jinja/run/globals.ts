// The names that every template has.
import { fail } from '../base/errors.ts';
import { textArgument, wholeArgument } from '../methods/arguments.ts';
import { bind, type Machine } from '../methods/machine.ts';
import { iterate, listOf } from '../values/iterate.ts';
import { setEntry } from '../values/keys.ts';
import { strOf } from '../values/text.ts';
import {
  Callable,
  Counter,
  Dict,
  type Named,
  Namespace,
  orElse,
  Range,
  Undefined,
  type Value,
  wholeOf,
} from '../values/types.ts';
import { formatTime } from './strftime.ts';

/** The sandbox allows no longer ones. */
const longestRange = 100_000;

function range(args: readonly Value[]): Value {
  if (args.length < 1 || args.length > 3) {
    fail(`range expected 1 to 3 arguments, got ${args.length}`);
  }
  const numbers = args.map((arg) => wholeOf(arg) ?? BigInt(wholeArgument(arg)));
  const [start = 0n, stop = 0n, step = 1n] = args.length === 1 ? [0n, ...numbers] : numbers;
  if (step === 0n) {
    fail('range() arg 3 must not be zero');
  }
  const made = new Range(start, stop, step);
  return made.length > longestRange
    ? fail(`Range too big. The sandbox blocks ranges larger than MAX_RANGE (${longestRange}).`)
    : made;
}

/** As Python's `dict(pairs, name=value)`. */
function dictOf(args: readonly Value[], named: Named, { budget }: Machine): Dict {
  const dict = new Dict();
  const [first, ...more] = args;
  if (more.length > 0) {
    fail(`dict expected at most 1 argument, got ${args.length}`);
  }
  if (first instanceof Dict) {
    for (const [found, entry] of first.entries) {
      dict.entries.set(found, entry);
    }
  } else if (first instanceof Undefined) {
    fail(first.message);
  } else if (first !== undefined) {
    for (const pair of iterate(first, budget)) {
      const [key, value, ...rest] = listOf(pair, budget);
      if (key === undefined || value === undefined || rest.length > 0) {
        fail('dict() takes pairs');
      }
      setEntry(dict, key, value, budget);
    }
  }
  budget.takeItems(dict.entries.size + named.size);
  for (const [key, value] of named) {
    setEntry(dict, key, value, budget);
  }
  return dict;
}

class Cycler extends Counter {
  readonly typeName = 'Cycler';
  readonly #items: readonly Value[];
  #at = 0;

  constructor(items: readonly Value[]) {
    super();
    this.#items = items.length > 0 ? items : fail('at least one item has to be provided');
  }

  attribute(name: string): Value | undefined {
    switch (name) {
      case 'current':
        return this.#items[this.#at] ?? null;
      case 'next':
        return new Callable(name, () => {
          const item = this.#items[this.#at] ?? null;
          this.#at = (this.#at + 1) % this.#items.length;
          return item;
        });
      case 'reset':
        return new Callable(name, () => {
          this.#at = 0;
          return null;
        });
      default:
        return undefined;
    }
  }
}

class Joiner extends Counter {
  readonly typeName = 'Joiner';
  readonly #separator: Value;
  #isUsed = false;

  constructor(separator: Value) {
    super();
    this.#separator = separator;
  }

  attribute(name: string): Value | undefined {
    return name === 'sep' ? this.#separator : name === 'used' ? this.#isUsed : undefined;
  }

  override call(): Value {
    const separator = this.#isUsed ? this.#separator : '';
    this.#isUsed = true;
    return separator;
  }
}

/** Functions that are classes in Python have a text. */
const classes: Readonly<Record<string, string>> = {
  dict: "<class 'dict'>",
  namespace: "<class 'jinja2.utils.Namespace'>",
  cycler: "<class 'jinja2.utils.Cycler'>",
  joiner: "<class 'jinja2.utils.Joiner'>",
};

export function globals(machine: Machine): ReadonlyMap<string, Value> {
  const { budget, now } = machine;
  const functions: Readonly<Record<string, Callable['call']>> = {
    range: (args, named) =>
      named.size > 0 ? fail('range() takes no keyword arguments') : range(args),
    dict: (args, named) => dictOf(args, named, machine),
    namespace: (args, named) => {
      const made = new Namespace();
      for (const [key, entry] of dictOf(args, named, machine).entries) {
        made.dict.entries.set(key, entry);
      }
      return made;
    },
    cycler: (args) => new Cycler(args),
    joiner: (args, named) => new Joiner(orElse(bind('joiner', 'sep?', args, named)[0], () => ', ')),
    lipsum: () => fail("the function 'lipsum' is not supported"),
    raise_exception: (args, named) =>
      fail(strOf(bind('raise_exception', 'message', args, named)[0] ?? null, budget)),
    strftime_now: (args, named) =>
      formatTime(textArgument(bind('strftime_now', 'format', args, named)[0]), now, budget),
  };
  return new Map(
    Object.entries(functions).map(([name, call]) => {
      return [name, new Callable(name, call, classes[name])];
    }),
  );
}
