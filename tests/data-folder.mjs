// The data folder: real models, tokenizers and evaluation sets, which are too large for the repository.
// AMBRY_DATA names it, and an empty AMBRY_DATA says that there is none. Without AMBRY_DATA it is
// shared/data in the repository or beside it. Tests that need a file of it are skipped where it is missing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const places = [join(root, 'shared/data'), join(root, '../shared/data')];

/** The folder, which need not exist; undefined where none is named or found. */
export const dataFolder = (process.env.AMBRY_DATA ?? places.find(existsSync)) || undefined;

/**
 * The path of a file or folder in the data folder.
 * @param {string} name
 */
export function dataPath(name) {
  return join(dataFolder ?? join(root, 'build/no-data'), name);
}

/**
 * Says what is missing and how to give it; undefined where everything is there.
 * @param {...string} names files or folders in the data folder
 * @returns {string | undefined}
 */
export function missingData(...names) {
  const missing = names.filter((name) => !existsSync(dataPath(name)));
  if (missing.length === 0) {
    return undefined;
  }
  const where = dataFolder === undefined ? '' : ` in ${dataFolder}`;
  return `no ${missing.join(', ')}${where}: set AMBRY_DATA to the folder of test data`;
}
