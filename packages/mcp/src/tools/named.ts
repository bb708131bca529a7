// The argument that names one of several, such as an index.
import { AmbryError } from 'ambry';
import { z } from 'zod';

/** One of these names. It may be left out where there is one only. */
export function nameArgument(names: readonly string[], what: string) {
  const [first = ''] = names;
  const one = z.enum([first, ...names.slice(1)]);
  return names.length === 1
    ? one.default(first).describe(`The ${what}. There is one only.`)
    : one.describe(`The ${what}.`);
}

export function named<T>(all: ReadonlyMap<string, T>, name: string, what: string): T {
  const found = all.get(name);
  if (found === undefined) {
    const message = `There is no ${what} ${name}.`;
    throw new AmbryError('NotFound', message, { path: what });
  }
  return found;
}
