// Where the files of the built-in models lie.
import { AmbryError } from 'ambry';

/** The names of the files. The README of the package says what each of them is. */
export const modelNames = [
  'english-static-336.weights',
  'english-192x1.weights',
  'books-96.fifu',
  'digits-vanilla.bin',
  'digits-dq8.bin',
  'digits-sq8.bin',
  'digits-plan.json',
  'stories.amb',
  'chat.amb',
  'entities-96x1.weights',
  'languages-14.ftz',
] as const;

export type ModelName = (typeof modelNames)[number];

/**
 * The address of a built-in file: a `file:` URL in Node. A bundler gives the address of a file where it is imported by its name,
 * as by `import url from 'ambry-models/models/stories.amb?url'` in Vite.
 *
 * Throws an `AmbryError` with the code `NotFound` at `name` when there is no such file.
 */
export function modelUrl(name: ModelName): URL {
  if (!modelNames.includes(name)) {
    const message = `There is no model ${JSON.stringify(name)}. There are ${modelNames.join(', ')}.`;
    throw new AmbryError('NotFound', message, { path: 'name' });
  }
  return new URL(`../models/${name}`, import.meta.url);
}
