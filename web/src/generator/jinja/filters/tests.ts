// All tests by name: what follows `is`.
import { fail } from '../base/errors.ts';
import { isCallable } from '../methods/attributes.ts';
import { type Bound, bind, type Machine } from '../methods/machine.ts';
import { percentFormat } from '../methods/percent.ts';
import { isLower, isUpper } from '../methods/text-case.ts';
import { binary } from '../values/arithmetic.ts';
import { isEqual, isIn, isOrdered } from '../values/compare.ts';
import { itemsOf, sizeOf } from '../values/iterate.ts';
import { hashOf } from '../values/keys.ts';
import { strOf } from '../values/text.ts';
import {
  Dict,
  Iteration,
  Markup,
  type Named,
  textOf,
  Undefined,
  type Value,
  View,
  wholeOf,
} from '../values/types.ts';

interface Test {
  readonly parameters: string;
  run(value: Value, args: Bound, machine: Machine): boolean;
}

const test = (parameters: string, run: Test['run']): Test => ({ parameters, run });
const plain = (run: Test['run']): Test => test('', run);

const remainder = (value: Value, by: Value, machine: Machine): Value =>
  binary('%', value, by, machine.budget, (text, given) => percentFormat(text, given, machine));

const isRest = (rest: bigint): Test =>
  plain((value, _, machine) => isEqual(remainder(value, 2n, machine), rest, machine.budget));

const compared = (sign: string): Test =>
  test('other', (value, [other = null], { budget }) => isOrdered(value, other, sign, budget));

const equal = test('other', (value, [other = null], { budget }) => isEqual(value, other, budget));
const unequal = test('other', (value, [other = null], { budget }) =>
  !isEqual(value, other, budget));

function isSame(value: Value, [other = null]: Bound): boolean {
  return value === other && typeof value !== 'number';
}

/** What has a length and items by number or key. Undefined values have both. */
function isSequence(value: Value): boolean {
  return !(value instanceof View) && sizeOf(value) !== undefined;
}

function isIterable(value: Value, _: Bound, { budget }: Machine): boolean {
  return value instanceof Iteration || itemsOf(value, budget) !== undefined;
}

/** Python looks a name up in a dict, where lists and dicts are no keys. */
function nameOf(value: Value, { budget }: Machine): string {
  hashOf(value, budget);
  return textOf(value) ?? '';
}

const tests: Readonly<Record<string, Test>> = {
  odd: isRest(1n),
  even: isRest(0n),
  divisibleby: test('num', (value, [num = null], machine) =>
    isEqual(remainder(value, num, machine), 0n, machine.budget)),
  defined: plain((value) => !(value instanceof Undefined)),
  undefined: plain((value) => value instanceof Undefined),
  filter: plain((value, _, machine) => machine.isFilter(nameOf(value, machine))),
  test: plain((value, _, machine) => machine.isTest(nameOf(value, machine))),
  none: plain((value) => value === null),
  boolean: plain((value) => typeof value === 'boolean'),
  false: plain((value) => value === false),
  true: plain((value) => value === true),
  integer: plain((value) => typeof value === 'bigint'),
  float: plain((value) => typeof value === 'number'),
  number: plain((value) => typeof value === 'number' || wholeOf(value) !== undefined),
  string: plain((value) => textOf(value) !== undefined),
  lower: plain((value, _, { budget }) => isLower(measured(value, budget))),
  upper: plain((value, _, { budget }) => isUpper(measured(value, budget))),
  mapping: plain((value) => value instanceof Dict),
  sequence: plain(isSequence),
  iterable: plain(isIterable),
  callable: plain(isCallable),
  sameas: test('other', isSame),
  escaped: plain((value) => value instanceof Markup),
  in: test('seq', (value, [seq = null], { budget }) => isIn(value, seq, budget)),
  '==': equal,
  eq: equal,
  equalto: equal,
  '!=': unequal,
  ne: unequal,
  '>': compared('>'),
  gt: compared('>'),
  greaterthan: compared('>'),
  '>=': compared('>='),
  ge: compared('>='),
  '<': compared('<'),
  lt: compared('<'),
  lessthan: compared('<'),
  '<=': compared('<='),
  le: compared('<='),
};

function measured(value: Value, budget: Machine['budget']): string {
  const text = strOf(value, budget);
  budget.work(text.length);
  return text;
}

export const isTest = (name: string): boolean => Object.hasOwn(tests, name);

export function applyTest(
  name: string,
  args: readonly Value[],
  named: Named,
  machine: Machine,
): boolean {
  const found = isTest(name) ? tests[name] : undefined;
  if (!found) {
    return fail(`No test named '${name}'.`);
  }
  const [value = null, ...more] = args;
  return found.run(value, bind(name, found.parameters, more, named), machine);
}
