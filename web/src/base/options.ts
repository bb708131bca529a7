// Refuses options that a call does not have. Otherwise a misspelled one would be ignored.
import type { UnknownOption } from './unknown-option.ts';

/** The names of the options of a call, and of what is in those that are objects. The type keeps such a table complete. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true | Names>>;
interface Names {
  readonly [name: string]: true | Names;
}

/** The names of a table of options, such as that of their defaults. */
export function namesOf<Table extends object>(table: Table): OptionNames<Table> {
  const names = Object.keys(table).map((name) => [name, true] as const);
  return Object.fromEntries(names) as OptionNames<Table>;
}

/** Characters of a name in the error. Longer ones are cut. */
const mostCharacters = 100;

/** Undefined if the call has all these options. One that is undefined is as good as absent. */
export function findUnknown(
  options: object,
  names: Names,
  path = 'options',
): UnknownOption | undefined {
  for (const [name, value] of Object.entries(options)) {
    const known = Object.hasOwn(names, name) ? names[name] : undefined;
    if (value !== undefined && !known) {
      return { name: name.slice(0, mostCharacters), known: Object.keys(names), path };
    }
    if (typeof known !== 'object' || typeof value !== 'object' || value === null) {
      continue;
    }
    const found = findUnknown(value, known, `${path}.${name}`);
    if (found) {
      return found;
    }
  }
  return undefined;
}

/** Rejects with `BadValue` at the first option that the call does not have. Undefined if there is none, so that a call
 *  goes on at once. */
export function refuseUnknown<Options extends object>(
  options: Options,
  names: OptionNames<NoInfer<Options>>,
  path?: string,
): Promise<never> | undefined {
  const unknown = findUnknown(options, names, path);
  return unknown && refuse(unknown);
}

/** Pages fetch the code of the error when there is one. */
async function refuse(unknown: UnknownOption): Promise<never> {
  throw (await import('./unknown-option.ts')).unknownOption(unknown);
}
