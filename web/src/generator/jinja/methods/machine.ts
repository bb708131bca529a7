// What filters, tests and methods need of whoever runs a template.
import type { TemplateBudget } from '../base/budget.ts';
import { fail } from '../base/errors.ts';
import { Callable, type Named, type Value } from '../values/types.ts';

export interface Machine {
  readonly budget: TemplateBudget;
  /** What the clock says. */
  readonly now: Date;
  call(callee: Value, args: readonly Value[], named: Named): Value;
  /** As `object.name`. */
  attribute(object: Value, name: string): Value;
  /** As `object[index]`. */
  item(object: Value, index: Value): Value;
  filter(name: string, args: readonly Value[], named: Named): Value;
  test(name: string, args: readonly Value[], named: Named): boolean;
  isFilter(name: string): boolean;
  isTest(name: string): boolean;
}

/** The arguments of a call, each at its place. Those that are not given are `undefined`. */
export type Bound = readonly (Value | undefined)[];

/** Puts the arguments of a call in the order of `parameters`: `'old new count?'` has two that are needed, and a third. With
 *  `/` in front they have no names that callers can use. */
export function bind(
  name: string,
  parameters: string,
  args: readonly Value[],
  named: Named,
): Bound {
  const isUnnamed = parameters.startsWith('/');
  const words = parameters.replace('/', '').split(' ').filter(Boolean);
  if (args.length > words.length) {
    fail(`${name}() takes at most ${words.length} arguments (${args.length} given)`);
  }
  const bound: (Value | undefined)[] = words.map((_, i) => args[i]);
  for (const [key, value] of named) {
    const at = isUnnamed ? -1 : words.findIndex((word) => word.replace('?', '') === key);
    if (at < 0) {
      fail(`${name}() got an unexpected keyword argument '${key}'`);
    }
    if (bound[at] !== undefined) {
      fail(`${name}() got multiple values for argument '${key}'`);
    }
    bound[at] = value;
  }
  const missing = words.find((word, i) => !word.endsWith('?') && bound[i] === undefined);
  return missing === undefined ? bound : fail(`${name}() needs the argument '${missing}'`);
}

/** What a value of type `Self` can do, by name. */
interface Method<Self> {
  readonly parameters: string;
  run(self: Self, args: Bound, machine: Machine): Value;
}

export type Methods<Self> = Readonly<Record<string, Method<Self>>>;

export function method<Self>(parameters: string, run: Method<Self>['run']): Method<Self> {
  return { parameters, run };
}

/** The method of a value, or `undefined`. */
export function boundMethod<Self>(
  methods: Methods<Self>,
  self: Self,
  name: string,
  machine: Machine,
): Callable | undefined {
  const found = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return (
    found &&
    new Callable(name, (args, named) =>
      found.run(self, bind(name, found.parameters, args, named), machine),
    )
  );
}
