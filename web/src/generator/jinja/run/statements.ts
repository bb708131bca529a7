// Runs statements.
import { fail } from '../base/errors.ts';
import type { Body, Expression, Statement, StatementOf, Target } from '../syntax/nodes.ts';
import { isTrue, iterate } from '../values/iterate.ts';
import { setEntry } from '../values/keys.ts';
import { strOf } from '../values/text.ts';
import { Iteration, Namespace, type Value } from '../values/types.ts';
import { argumentsOf } from './expressions.ts';
import { Frame } from './frame.ts';
import { Loop } from './loop.ts';
import { macroOf } from './macros.ts';
import type { Output } from './output.ts';
import type { Runner } from './runner.ts';

/** Why a body ended before its end. */
type Jump = 'break' | 'continue' | undefined;

type Runners = {
  readonly [K in Statement['type']]: (
    node: StatementOf<K>,
    frame: Frame,
    output: Output,
    machine: Runner,
  ) => Jump;
};

export function runBody(body: Body, frame: Frame, output: Output, machine: Runner): Jump {
  for (const node of body) {
    machine.budget.step();
    const run = runners[node.type] as Runners['break'];
    const jump = machine.at(node.line, () =>
      run(node as StatementOf<'break'>, frame, output, machine),
    );
    if (jump) {
      return jump;
    }
  }
  return undefined;
}

function assign(target: Target, value: Value, frame: Frame, machine: Runner): void {
  if (target.type === 'store') {
    frame.set(target.name, value);
    return;
  }
  if (target.type === 'field') {
    const namespace = frame.get(target.name);
    if (!(namespace instanceof Namespace)) {
      fail('cannot assign attribute on non-namespace object');
    }
    setEntry(namespace.dict, target.field, value, machine.budget);
    return;
  }
  const values = [...iterate(value, machine.budget)];
  const { items } = target;
  if (values.length !== items.length) {
    fail(`${values.length} values cannot be assigned to ${items.length} names`);
  }
  items.forEach((item, i) => {
    assign(item, values[i] as Value, frame, machine);
  });
}

/** Runs a body with names of its own. */
function runInside(
  body: Body,
  frame: Frame,
  output: Output,
  machine: Runner,
  give: (inner: Frame) => void = () => {},
): Jump {
  const inner = new Frame(machine.scopeOf(body), frame, frame.context);
  give(inner);
  return runBody(body, inner, output, machine);
}

function runFor(
  node: StatementOf<'for'>,
  items: Value,
  depth: number,
  frame: Frame,
  output: Output,
  machine: Runner,
): Jump {
  const { target, body, otherwise, isRecursive, test } = node;
  const chosen = test ? tested(node, test, items, frame, machine) : items;
  const recurse = isRecursive
    ? (inner: Value, innerDepth: number) => {
        const made = machine.newOutput();
        machine.budget.inside(() => runFor(node, inner, innerDepth, frame, made, machine));
        return made.end();
      }
    : undefined;
  const loop = new Loop(chosen, depth, recurse, machine.budget);
  // Only an item whose body ran to its end keeps `else` from running.
  let isWhole = false;
  for (let item = loop.advance(); item !== undefined; item = loop.advance()) {
    const value = item;
    const jump = runInside(body, frame, output, machine, (inner) => {
      inner.set('loop', loop);
      assign(target, value, inner, machine);
    });
    if (jump === 'break') {
      break;
    }
    isWhole ||= jump === undefined;
  }
  return isWhole || otherwise.length === 0
    ? undefined
    : runInside(otherwise, frame, output, machine);
}

/** The items that pass the test of a loop. Each is tested when the loop comes to it. */
function tested(
  { target }: StatementOf<'for'>,
  test: Expression,
  items: Value,
  frame: Frame,
  machine: Runner,
): Value {
  const all = iterate(items, machine.budget);
  function* passing(): Generator<Value> {
    const inner = new Frame(machine.scopeOf(test), frame, frame.context);
    for (const item of all) {
      assign(target, item, inner, machine);
      if (isTrue(machine.evaluate(test, inner))) {
        yield item;
      }
    }
  }
  return new Iteration('t_1', passing());
}

const runners: Runners = {
  output({ parts }, frame, output, machine) {
    for (const part of parts) {
      output.add(
        typeof part === 'string' ? part : strOf(machine.evaluate(part, frame), machine.budget),
      );
    }
    return undefined;
  },
  set({ value, target }, frame, _, machine) {
    assign(target, machine.evaluate(value, frame), frame, machine);
    return undefined;
  },
  setBlock({ target, filter, body }, frame, _, machine) {
    const [inner, made] = [
      new Frame(machine.scopeOf(body), frame, frame.context),
      machine.newOutput(),
    ];
    const jump = runBody(body, inner, made, machine);
    if (!jump) {
      const text = made.end();
      assign(target, filter ? machine.filtered(filter, text, inner) : text, frame, machine);
    }
    return jump;
  },
  if({ branches, otherwise }, frame, output, machine) {
    const found = branches.find(({ test }) => isTrue(machine.evaluate(test, frame)));
    return runBody(found ? found.body : otherwise, frame, output, machine);
  },
  for(node, frame, output, machine) {
    return runFor(node, machine.evaluate(node.items, frame), 0, frame, output, machine);
  },
  macro(node, frame, _, machine) {
    frame.set(node.name, macroOf(node, frame, machine));
    return undefined;
  },
  callBlock(node, frame, output, machine) {
    const caller = macroOf({ ...node, name: undefined }, frame, machine);
    const callee = machine.evaluate(node.call.callee, frame);
    const { args, named } = argumentsOf(node.call, frame, machine);
    named.set('caller', caller);
    output.add(strOf(machine.call(callee, args, named), machine.budget));
    return undefined;
  },
  filterBlock({ filter, body }, frame, output, machine) {
    const [inner, made] = [
      new Frame(machine.scopeOf(body), frame, frame.context),
      machine.newOutput(),
    ];
    const jump = runBody(body, inner, made, machine);
    if (!jump) {
      output.add(strOf(machine.filtered(filter, made.end(), inner), machine.budget));
    }
    return jump;
  },
  with({ values, targets, body }, frame, output, machine) {
    return runInside(body, frame, output, machine, (inner) => {
      targets.forEach((target, i) => {
        assign(target, machine.evaluate(values[i] as Expression, frame), inner, machine);
      });
    });
  },
  generation({ body }, frame, output, machine) {
    return runInside(body, frame, output, machine);
  },
  block({ body, isScoped }, frame, output, machine) {
    const outer = isScoped ? frame : undefined;
    return runBody(
      body,
      new Frame(machine.scopeOf(body), outer, new Map(frame.context)),
      output,
      machine,
    );
  },
  break: () => 'break',
  continue: () => 'continue',
};
