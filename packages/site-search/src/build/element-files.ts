// The files of `<ambry-search>` that lie beside an index: its script, whose name stays, and what that fetches later.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AmbryError } from 'ambry/encoder';
import { elementFolder, elementScript } from '../shared/element-paths.ts';

/** Where the package has them: its build makes them (browser.config.mjs). */
const browser = fileURLToPath(new URL('../../dist/browser/', import.meta.url));

interface ElementFile {
  /** Below the folder of the index. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The script comes last, because it names the others. Throws `NotFound` if the package has no files. */
export async function elementFiles(): Promise<ElementFile[]> {
  try {
    const names = (await readdir(join(browser, elementFolder))).sort();
    const paths = [...names.map((name) => `${elementFolder}/${name}`), elementScript];
    return await Promise.all(
      paths.map(async (path) => ({ path, bytes: await readFile(join(browser, path)) })),
    );
  } catch (cause) {
    const message = `The package ambry-site-search has no script for browsers in ${browser}. Install it again, or leave the script out (element: false, --no-element).`;
    throw new AmbryError('NotFound', message, { path: 'element', cause });
  }
}
