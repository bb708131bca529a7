// What the arguments of methods and filters must be.
import { fail } from '../base/errors.ts';
import { textOf, typeName, type Value, wholeOf } from '../values/types.ts';

export function textArgument(value: Value | undefined): string {
  return textOf(value ?? null) ?? fail(`a text is needed, not ${typeName(value ?? null)}`);
}

/** A whole number, as a number that JavaScript counts with. */
export function wholeArgument(value: Value): number {
  const whole = wholeOf(value);
  return whole === undefined
    ? fail(`'${typeName(value)}' object cannot be interpreted as an integer`)
    : Number(whole);
}

/** Where `None` and no argument are the same. */
export function optionalWhole(value: Value | undefined, otherwise: number): number {
  return value === undefined || value === null ? otherwise : wholeArgument(value);
}

export function optionalText(value: Value | undefined): string | undefined {
  return value === undefined || value === null ? undefined : textArgument(value);
}
