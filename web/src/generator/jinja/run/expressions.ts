// Evaluates expressions.
import { fail } from '../base/errors.ts';
import { attributeOf, itemOf } from '../methods/attributes.ts';
import { percentFormat } from '../methods/percent.ts';
import type { CallArguments, Expression, ExpressionOf } from '../syntax/nodes.ts';
import { binary, unary } from '../values/arithmetic.ts';
import { isEqual, isIn, isOrdered } from '../values/compare.ts';
import { sliceOf } from '../values/items.ts';
import { isTrue, iterate } from '../values/iterate.ts';
import { setEntry } from '../values/keys.ts';
import { strOf } from '../values/text.ts';
import { Dict, Tuple, textOf, Undefined, type Value } from '../values/types.ts';
import type { Frame } from './frame.ts';
import type { Runner } from './runner.ts';

type Evaluators = {
  readonly [K in Expression['type']]: (
    node: ExpressionOf<K>,
    frame: Frame,
    machine: Runner,
  ) => Value;
};

/** The arguments of a call, evaluated. */
export function argumentsOf(
  { args, named, moreArgs, moreNamed }: CallArguments,
  frame: Frame,
  machine: Runner,
): { args: Value[]; named: Map<string, Value> } {
  const values = args.map((arg) => machine.evaluate(arg, frame));
  const keyed = new Map<string, Value>();
  if (moreArgs) {
    values.push(...iterate(machine.evaluate(moreArgs, frame), machine.budget));
  }
  for (const { name, value } of named) {
    keyed.set(name, machine.evaluate(value, frame));
  }
  if (moreNamed) {
    const more = machine.evaluate(moreNamed, frame);
    if (!(more instanceof Dict)) {
      return fail('what follows ** must be a mapping');
    }
    for (const [key, value] of more.entries.values()) {
      const name = textOf(key) ?? fail('keywords must be strings');
      if (keyed.has(name)) {
        fail(`got multiple values for keyword argument '${name}'`);
      }
      keyed.set(name, value);
    }
  }
  return { args: values, named: keyed };
}

function isRight(sign: string, a: Value, b: Value, { budget }: Runner): boolean {
  switch (sign) {
    case '==':
      return isEqual(a, b, budget);
    case '!=':
      return !isEqual(a, b, budget);
    case 'in':
      return isIn(a, b, budget);
    case 'not in':
      return !isIn(a, b, budget);
    default:
      return isOrdered(a, b, sign, budget);
  }
}

const evaluators: Evaluators = {
  constant: ({ value }) => value,
  name({ name }, frame) {
    const value = frame.get(name);
    if (value === undefined && name === 'self') {
      fail("the name 'self' is not supported");
    }
    return value === undefined ? new Undefined(() => `'${name}' is undefined`) : value;
  },
  list({ items }, frame, machine) {
    machine.budget.takeItems(items.length);
    return items.map((item) => machine.evaluate(item, frame));
  },
  tuple({ items }, frame, machine) {
    machine.budget.takeItems(items.length);
    return new Tuple(items.map((item) => machine.evaluate(item, frame)));
  },
  dict({ items }, frame, machine) {
    machine.budget.takeItems(items.length);
    const dict = new Dict();
    for (const [key, value] of items) {
      setEntry(dict, machine.evaluate(key, frame), machine.evaluate(value, frame), machine.budget);
    }
    return dict;
  },
  attribute: ({ object, name }, frame, machine) =>
    attributeOf(machine.evaluate(object, frame), name, machine),
  item: ({ object, index }, frame, machine) =>
    itemOf(machine.evaluate(object, frame), machine.evaluate(index, frame), machine),
  slice({ object, from, to, by }, frame, machine) {
    const value = machine.evaluate(object, frame);
    const part = (node: Expression | undefined) => (node ? machine.evaluate(node, frame) : null);
    return sliceOf(value, { from: part(from), to: part(to), by: part(by) }, machine.budget);
  },
  call(node, frame, machine) {
    const callee = machine.evaluate(node.callee, frame);
    const { args, named } = argumentsOf(node, frame, machine);
    return machine.call(callee, args, named);
  },
  filter: (node, frame, machine) =>
    machine.applyFilter(node, node.operand ? machine.evaluate(node.operand, frame) : '', frame),
  test(node, frame, machine) {
    const value = machine.evaluate(node.operand, frame);
    const { args, named } = argumentsOf(node, frame, machine);
    return machine.test(node.name, [value, ...args], named);
  },
  binary({ sign, left, right }, frame, machine) {
    const a = machine.evaluate(left, frame);
    const b = machine.evaluate(right, frame);
    return binary(sign, a, b, machine.budget, (text, values) =>
      percentFormat(text, values, machine),
    );
  },
  unary: ({ sign, operand }, frame, machine) => unary(sign, machine.evaluate(operand, frame)),
  concat({ items }, frame, machine) {
    const texts = items.map((item) => strOf(machine.evaluate(item, frame), machine.budget));
    machine.budget.takeText(texts.reduce((sum, { length }) => sum + length, 0));
    return texts.join('');
  },
  compare({ first, rest }, frame, machine) {
    let left = machine.evaluate(first, frame);
    return rest.every(({ sign, operand }) => {
      const right = machine.evaluate(operand, frame);
      const is = isRight(sign, left, right, machine);
      left = right;
      return is;
    });
  },
  not: ({ operand }, frame, machine) => !isTrue(machine.evaluate(operand, frame)),
  and({ left, right }, frame, machine) {
    const value = machine.evaluate(left, frame);
    return isTrue(value) ? machine.evaluate(right, frame) : value;
  },
  or({ left, right }, frame, machine) {
    const value = machine.evaluate(left, frame);
    return isTrue(value) ? value : machine.evaluate(right, frame);
  },
  condition({ test, then, otherwise, line }, frame, machine) {
    if (isTrue(machine.evaluate(test, frame))) {
      return machine.evaluate(then, frame);
    }
    return otherwise
      ? machine.evaluate(otherwise, frame)
      : new Undefined(
          () =>
            `the inline if-expression on line ${line} evaluated to false and no else section was defined.`,
        );
  },
};

export function evaluateNode(node: Expression, frame: Frame, machine: Runner): Value {
  const run = evaluators[node.type] as (node: Expression, frame: Frame, machine: Runner) => Value;
  return run(node, frame, machine);
}
