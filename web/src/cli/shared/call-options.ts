// Options of a command that are options of a call: how their values are read, and all of them as one object.
import { type CommandOptions, camelCase } from './command.ts';
import { integer, numberInRange, oneOf } from './option-values.ts';
import { flagOf } from './unknown-option.ts';

/** Reads an integer of at least `min`. */
export const count =
  (min = 0) =>
  (value: string, flag: string) =>
    integer(value, flag, min);

/** Reads a number from `min` to `max`. */
export const number = (min: number, max?: number) => (value: string, flag: string) =>
  numberInRange(value, flag, min, max);

/** Reads one of a few words. */
export const word =
  <const T extends string>(choices: readonly T[]) =>
  (value: string, flag: string) =>
    oneOf(value, flag, choices);

/** Takes the value as it is. */
export const asGiven = <T>(value: T): T => value;

/** The options of a call that were given: those of the rows that say how they are read. */
export function callOptions<Options extends object>(
  rows: CommandOptions,
  values: Readonly<Record<string, unknown>>,
): Options {
  const given = Object.entries(rows).flatMap(([name, { read, as = camelCase(name) }]) => {
    const value = values[name];
    return read && value !== undefined ? [[as, read(value as never, flagOf(name))]] : [];
  });
  return Object.fromEntries(given) as Options;
}
