// The names that a template can use.
import { Environment, Template } from '@huggingface/jinja';
import type { TemplateBudget } from './worker-template-budget.ts';

/** A value of a template. */
export type Value = ReturnType<Environment['lookupVariable']>;

/** The names that the library gives every template, and those of the caller. */
export function environmentOf(
  budget: TemplateBudget,
  names: Readonly<Record<string, unknown>>,
): Environment {
  const environment = new Environment();
  const globals = {
    false: false,
    true: true,
    none: null,
    raise_exception: (message: unknown) => {
      budget.measure(message);
      throw new Error(message as string);
    },
    range: (...args: [number, number?, number?]) => boundedRange(budget, args),
    strftime_now: (format: unknown) => {
      if (typeof format !== 'string') {
        throw new Error('strftime_now() takes a text');
      }
      return new Template('{{ strftime_now(format) }}').render({ format });
    },
    True: true,
    False: false,
    None: null,
  };
  for (const [name, value] of Object.entries(globals)) {
    environment.set(name, value);
  }
  for (const [name, value] of Object.entries(names)) {
    environment.set(name, value);
  }
  return environment;
}

/** The library's `range`, up to a number of items. A text counts as a number there, and grows by a step that is one. */
function boundedRange(budget: TemplateBudget, args: [number, number?, number?]): number[] {
  if (args.some((arg) => Array.isArray(arg))) {
    throw new Error('range() takes numbers');
  }
  const [start, stop, step = 1] = args[1] === undefined ? [0, args[0], args[2]] : args;
  if (step === 0) {
    throw new Error('range() step must not be zero');
  }
  const numbers: number[] = [];
  const isWithin = (at: number) => (step > 0 ? at < (stop as number) : at > (stop as number));
  for (let at = start; isWithin(at); at += step) {
    budget.checkItems(numbers.length + 1);
    if (typeof at === 'string') {
      budget.takeText((at as string).length);
    }
    numbers.push(at);
  }
  return numbers;
}
