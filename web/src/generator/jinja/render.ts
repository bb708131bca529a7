// Renders chat templates as Python's jinja2 does, with what transformers adds to it.
import { TemplateBudget } from './base/budget.ts';
import { Interpreter } from './run/interpreter.ts';
import { parseTemplate } from './syntax/statement-parser.ts';
import { Dict, type Value } from './values/types.ts';

/** `now` is what the clock says. */
export function renderTemplate(
  template: string,
  names: Readonly<Record<string, unknown>>,
  now = new Date(),
): string {
  const budget = new TemplateBudget();
  const given = Object.entries(names).filter(([, value]) => value !== undefined);
  const values = given.map(([name, value]) => [name, asValue(value)] as const);
  return new Interpreter(parseTemplate(template), now, budget).render(values);
}

/** A value of JavaScript as one of Python's. JavaScript does not tell 1 from 1.0, so that both are whole numbers. */
function asValue(given: unknown): Value {
  if (typeof given === 'number') {
    return Number.isSafeInteger(given) ? BigInt(given) : given;
  }
  if (Array.isArray(given)) {
    return given.map(asValue);
  }
  if (typeof given !== 'object' || given === null) {
    return (given ?? null) as Value;
  }
  const dict = new Dict();
  for (const [key, value] of Object.entries(given)) {
    if (value !== undefined) {
      dict.entries.set(key.startsWith('\0') ? `\0${key}` : key, [key, asValue(value)]);
    }
  }
  return dict;
}
