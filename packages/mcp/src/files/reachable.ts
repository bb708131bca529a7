// Which files the tools may read: what lies below the folders that the user named, and no link leads out of them.
import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AmbryError } from 'ambry';
import { shortName } from '../results/shorten.ts';

export interface ReachableFile {
  /** Without links. */
  readonly path: string;
  readonly isDirectory: boolean;
}

/** The folders without links. Throws `NotFound` for one that is not there. */
export async function realFolders(folders: readonly string[]): Promise<string[]> {
  return Promise.all(
    folders.map(async (folder) => {
      const real = await realpath(folder).catch(() => undefined);
      if (real === undefined || !(await stat(real)).isDirectory()) {
        const message = `There is no folder ${folder}.`;
        throw new AmbryError('NotFound', message, { path: 'options.files.folders' });
      }
      return real;
    }),
  );
}

/**
 * The file or directory that a path means. A relative path begins at the first folder that has it. Throws `NotFound`, also
 * for what lies elsewhere, and for a link that leads elsewhere.
 */
export async function reachableFile(
  given: string,
  folders: readonly string[],
): Promise<ReachableFile> {
  for (const folder of folders) {
    const path = resolve(folder, given);
    if (!folders.some((allowed) => isInside(path, allowed))) {
      continue;
    }
    const real = given.includes('\0') ? undefined : await realpath(path).catch(() => undefined);
    if (real === undefined) {
      continue;
    }
    if (!folders.some((allowed) => isInside(real, allowed))) {
      throw outside(given);
    }
    return checkedFile(given, real, folders);
  }
  throw outside(given);
}

/** Nothing else is told, so that nobody learns which files there are elsewhere. */
function outside(given: string): AmbryError {
  const message = `There is no ${shortName(given)} below the folders that may be read (--files).`;
  return new AmbryError('NotFound', message, { path: 'path' });
}

function isInside(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner === '' || !(inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner));
}

async function checkedFile(
  given: string,
  path: string,
  folders: readonly string[],
): Promise<ReachableFile> {
  const found = await stat(path);
  const isDirectory = found.isDirectory();
  if (!isDirectory && !found.isFile()) {
    const message = `${shortName(given)} is no file and no directory.`;
    throw new AmbryError('Unsupported', message, { path: 'path' });
  }
  try {
    await access(path, constants.R_OK);
  } catch {
    throw new AmbryError('NotFound', `${shortName(given)} cannot be read.`, { path: 'path' });
  }
  await checkNeighbours(isDirectory ? path : dirname(path), folders, 1);
  return { path, isDirectory };
}

/** A model may be several files of one folder and of the folders in it, such as `1_Pooling/config.json`. They are read
 *  by their names, so no name may be a link that leads elsewhere. */
async function checkNeighbours(
  folder: string,
  folders: readonly string[],
  depth: number,
): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) {
      const real = await realpath(path).catch(() => undefined);
      if (real !== undefined && !folders.some((allowed) => isInside(real, allowed))) {
        const message = `The link ${shortName(entry.name)} leads out of the folders that may be read (--files), and files are read with those beside them.`;
        throw new AmbryError('Unsupported', message, { path: 'path' });
      }
    } else if (entry.isDirectory() && depth > 0) {
      await checkNeighbours(path, folders, depth - 1);
    }
  }
}
