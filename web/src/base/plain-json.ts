// Plain data as JSON.
import { AmbryError } from './errors.ts';

/** Throws `BadValue` at `path` for what JSON cannot say: integers of BigInt, and objects that contain themselves. */
export function plainJson(
  value: unknown,
  path: string,
  replacer?: (name: string, value: unknown) => unknown,
): string {
  try {
    return JSON.stringify(value, replacer);
  } catch (cause) {
    const message = 'Must be plain data that can be written as JSON.';
    throw new AmbryError('BadValue', message, { path, cause });
  }
}
