// The error for an option that a call does not have.
import { didYouMean } from './did-you-mean.ts';
import { AmbryError } from './errors.ts';

export interface UnknownOption {
  readonly name: string;
  /** The names that there are. */
  readonly known: readonly string[];
  /** What the option is given in, such as `options`. */
  readonly path: string;
}

export function unknownOption({ name, known, path }: UnknownOption): AmbryError {
  const message = `There is no option "${name}".${didYouMean(name, known)}`;
  return new AmbryError('BadValue', message, { path: `${path}.${name}` });
}
