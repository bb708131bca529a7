// Refuses options that a call does not have. Otherwise a misspelled one would be ignored.
import { AmbryError } from 'ambry/terms';

/** The names of the options of a call. The type keeps such a table complete. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/** Characters of a name in the error. Longer ones are cut. */
const mostCharacters = 100;

/** Throws `BadValue` at the first option that the call does not have. One that is undefined is as good as absent. */
export function refuseUnknown<Options extends object>(
  options: Options,
  names: OptionNames<NoInfer<Options>>,
): void {
  if (typeof options !== 'object' || options === null) {
    throw new AmbryError('BadValue', 'Must be an object of options.', { path: 'options' });
  }
  const unknown = Object.entries(options).find(
    ([name, value]) => value !== undefined && !Object.hasOwn(names, name),
  );
  if (!unknown) {
    return;
  }
  const name = unknown[0].slice(0, mostCharacters);
  const message = `There is no option ${JSON.stringify(name)}. The options are: ${Object.keys(names).join(', ')}.`;
  throw new AmbryError('BadValue', message, { path: `options.${name}` });
}
