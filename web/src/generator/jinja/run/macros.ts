// Macros, and the bodies of `call` blocks, which are macros too.
import { fail } from '../base/errors.ts';
import type { Body, Parameter } from '../syntax/nodes.ts';
import { Callable, Dict, type Named, Tuple, Undefined, type Value } from '../values/types.ts';
import { Frame } from './frame.ts';
import type { Runner } from './runner.ts';

interface Definition {
  readonly name: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: Body;
}

export function macroOf(definition: Definition, frame: Frame, machine: Runner): Callable {
  const { name, parameters, body } = definition;
  const specials = machine.analysis.specials.get(body) ?? new Set<string>();
  const title = name === undefined ? 'anonymous' : `'${name}'`;
  const attributes = new Map<string, Value>([
    ['name', name ?? null],
    ['arguments', new Tuple(parameters.map((parameter) => parameter.name))],
    ['catch_kwargs', specials.has('kwargs')],
    ['catch_varargs', specials.has('varargs')],
    ['caller', specials.has('caller')],
  ]);
  const call = (args: readonly Value[], named: Named) => {
    const inner = new Frame(machine.scopeOf(body), frame, frame.context);
    give(definition, args, new Map(named), specials, inner, machine);
    return machine.textOfBody(body, inner);
  };
  return new Callable(name ?? 'caller', call, `<Macro ${title}>`, attributes);
}

/** Gives the names of a macro their values. Whatever is left over is refused, or goes to `kwargs` and `varargs`. */
function give(
  { name, parameters }: Definition,
  args: readonly Value[],
  named: Map<string, Value>,
  specials: ReadonlySet<string>,
  frame: Frame,
  machine: Runner,
): void {
  const missing: Parameter[] = [];
  parameters.forEach((parameter, i) => {
    const value = i < args.length ? args[i] : named.get(parameter.name);
    if (i >= args.length) {
      named.delete(parameter.name);
    }
    if (value === undefined) {
      missing.push(parameter);
    } else {
      frame.set(parameter.name, value);
    }
  });
  giveSpecials(name, parameters.length, args, named, specials, frame);
  for (const { name: key, otherwise } of missing) {
    const value = otherwise
      ? machine.evaluate(otherwise, frame)
      : new Undefined(() => `parameter '${key}' was not provided`);
    frame.set(key, value);
  }
}

function giveSpecials(
  name: string | undefined,
  count: number,
  args: readonly Value[],
  named: Map<string, Value>,
  specials: ReadonlySet<string>,
  frame: Frame,
): void {
  if (specials.has('caller')) {
    const caller = named.get('caller') ?? new Undefined(() => 'No caller defined');
    named.delete('caller');
    frame.set('caller', caller);
  }
  const [other] = named.keys();
  if (specials.has('kwargs')) {
    const kwargs = new Dict();
    for (const [key, value] of named) {
      kwargs.entries.set(key, [key, value]);
    }
    frame.set('kwargs', kwargs);
  } else if (other !== undefined) {
    fail(`macro '${name}' takes no keyword argument '${other}'`);
  }
  if (specials.has('varargs')) {
    frame.set('varargs', new Tuple(args.slice(count)));
  } else if (args.length > count) {
    fail(`macro '${name}' takes not more than ${count} argument(s)`);
  }
}
