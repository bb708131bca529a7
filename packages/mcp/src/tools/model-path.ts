// The argument that names a model file.
import { z } from 'zod';

const mostCharacters = 4096;

export function pathArgument(addresses: boolean) {
  const also = addresses ? ', an address, or a name at the hub such as hf:owner/name' : '';
  return z
    .string()
    .min(1)
    .max(mostCharacters)
    .describe(`The path of a model file or of a directory with one${also}.`);
}
