// Where a file that belongs to a model says that the model is.
import { dirname, relative, resolve, sep } from 'node:path';
import { isRemote } from './input.ts';

/** The path of the model relative to the file, so that both can be moved together. `target` is undefined for a stream. */
export function modelReference(model: string, target: string | undefined): string | undefined {
  if (model === '-') {
    return undefined;
  }
  if (isRemote(model)) {
    return model;
  }
  if (target === undefined) {
    return resolve(model);
  }
  return relative(dirname(resolve(target)), resolve(model))
    .split(sep)
    .join('/');
}

/** A relative reference starts at the folder of the file. */
export function resolveReference(reference: string, file: string): string {
  if (isRemote(reference)) {
    return reference;
  }
  return file === '-' || isRemote(file) ? reference : resolve(dirname(file), reference);
}
