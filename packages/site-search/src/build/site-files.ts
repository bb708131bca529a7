// Finds the pages of a built site, and reads them.
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { AmbryError } from 'ambry/encoder';
import { checkLimit } from '../shared/limits.ts';
import type { BuildOptions } from './options.ts';

const isPage = (name: string): boolean => /\.x?html?$/i.test(name);

/** The paths of the pages below the folder, with forward slashes, sorted. Folders whose name begins with a dot,
 *  `node_modules`, and `left`, where the index is, have none. */
export async function sitePages(folder: string, left: string): Promise<string[]> {
  const found: string[] = [];
  const excluded = resolve(left);
  const visit = async (below: string): Promise<void> => {
    for (const entry of await entriesOf(join(folder, below))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        if (entry.name.startsWith('.') || entry.name === 'node_modules') {
          continue;
        }
        if (resolve(folder, path) !== excluded) {
          await visit(path);
        }
      } else if (entry.isFile() && isPage(entry.name)) {
        found.push(path);
        checkLimit('pages', found.length, folder);
      }
    }
  };
  await visit('');
  return found.sort();
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    throw unreadable(folder, cause);
  }
}

/** Throws `LimitExceeded` for a file that is too large, before it is read. Pages are small: to read them in another thread takes
 *  three times as long. */
export function readPageFile(folder: string, path: string): Buffer {
  const file = join(folder, path);
  try {
    const opened = openSync(file, 'r');
    try {
      checkLimit('pageBytes', fstatSync(opened).size, path);
      return readFileSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch (cause) {
    if (cause instanceof AmbryError) {
      throw cause;
    }
    throw unreadable(file, cause);
  }
}

function unreadable(path: string, cause: unknown): AmbryError {
  const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
  return new AmbryError('NotFound', `${path} cannot be read (${reason}).`, { path, cause });
}

/** The address of a page below that of the site: folders stand for their index page. */
export function pageUrl(path: string, { cleanUrls, trailingSlash }: BuildOptions): string {
  const url = path.replace(/(^|\/)index\.x?html?$/i, '$1');
  const short = cleanUrls ? url.replace(/\.x?html?$/i, '') : url;
  const stated = trailingSlash === false ? short.replace(/\/$/, '') : short;
  return stated.split('/').map(encodeURIComponent).join('/');
}

/** Whether `inner` is the folder or lies in it. */
export function isWithin(folder: string, inner: string): boolean {
  const [outer, path] = [resolve(folder), resolve(inner)];
  return path === outer || path.startsWith(outer + sep);
}

/** The path of a folder below that of the site; undefined if it lies elsewhere. */
export function pathBelow(folder: string, inner: string): string | undefined {
  return isWithin(folder, inner) ? relative(folder, inner).split(sep).join('/') : undefined;
}

/** Where the site is, from its index. An index elsewhere is taken for one at the root of a host. */
export function sitePath(folder: string, out: string): string {
  if (!isWithin(folder, out)) {
    return '/';
  }
  return `${relative(out, folder).split(sep).join('/')}/`;
}
