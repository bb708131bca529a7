// Refuses options that a call does not have, and values that an option does not take. Otherwise a misspelled one would be
// ignored.
import { findWrongOption, type Kind, type KnownOptions, type Wrong } from './kinds.ts';

/** The options of a call, with what each must be. The type keeps such a table complete. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true | Kind>>;

/** The options in a table of their defaults. */
export function namesOf<Table extends object>(table: Table): OptionNames<Table> {
  const names = Object.keys(table).map((name) => [name, true] as const);
  return Object.fromEntries(names) as OptionNames<Table>;
}

/** Rejects with `BadValue` at the first option that the call does not have, or whose value it does not take. Undefined if
 *  there is none, so that a call goes on at once. */
export function refuseUnknown<Options extends object>(
  options: Options,
  names: OptionNames<NoInfer<Options>>,
  path?: string,
): Promise<never> | undefined {
  const wrong = findWrongOption(options, names as KnownOptions, path);
  return wrong && refuse(wrong);
}

/** Pages fetch the code of the error when there is one. */
export async function refuse(wrong: Wrong): Promise<never> {
  throw (await import('./wrong-value.ts')).wrongValue(wrong);
}
