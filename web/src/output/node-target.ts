// Finds out what the path of a target names: a file, which can be replaced, or a stream, which takes bytes in order.
import { constants, type Stats } from 'node:fs';
import { access, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { cannotWrite } from './node-output.ts';

export type Target =
  | {
      readonly kind: 'file';
      /** The path of the file itself, behind all links. */
      readonly path: string;
      /** Undefined if there is no such file yet. */
      readonly existing: Stats | undefined;
    }
  /** A pipe, a terminal, a device like `/dev/null`, or an open file like `/dev/stderr`. */
  | { readonly kind: 'stream'; readonly isPipe: boolean };

/** As many as Linux follows. */
const maxLinks = 40;
/** What `/dev/fd`, `/dev/stdout` and `/dev/stderr` lead to. */
const openFiles = /^(\/proc\/[^/]+\/(task\/\d+\/)?fd|\/dev\/fd)$/;

/** Throws `BadValue` if nothing can be written there. */
export async function findTarget(path: string): Promise<Target> {
  try {
    // The system also checks whether links may be followed here (fs.protected_symlinks).
    const existing = await stat(path).catch(unlessMissing);
    const end = await endOfLinks(path);
    if (end === undefined) {
      return { kind: 'stream', isPipe: existing?.isFIFO() ?? false };
    }
    if (existing?.isFIFO()) {
      return { kind: 'stream', isPipe: true };
    }
    if (existing?.isCharacterDevice()) {
      return { kind: 'stream', isPipe: false };
    }
    if (existing && !existing.isFile()) {
      throw new Error(whyNot(existing));
    }
    // Replacing needs no right to write the old file, but a file that is protected was not meant to change.
    if (existing) {
      await access(end, constants.W_OK);
    }
    return { kind: 'file', path: end, existing };
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') {
    throw error;
  }
}

function whyNot(existing: Stats): string {
  if (existing.isDirectory()) {
    return 'it is a directory. Name a file in it.';
  }
  const kind = existing.isSocket() ? 'socket' : 'block device';
  return `it is a ${kind}. Name a file, or - for standard output.`;
}

/** The path behind all links, also where nothing is there yet. Undefined for a file that a process has open. */
async function endOfLinks(path: string): Promise<string | undefined> {
  if (path === '' || /[\\/]$/.test(path)) {
    throw new Error('it is no name of a file.');
  }
  let end = path;
  for (let links = 0; links <= maxLinks; links++) {
    const folder = await realpath(dirname(end));
    if (openFiles.test(folder)) {
      return undefined;
    }
    end = join(folder, basename(end));
    const next = await readlink(end).catch(() => undefined);
    if (next === undefined) {
      return end;
    }
    // Not normalized: `..` behind a link leads elsewhere.
    end = isAbsolute(next) ? next : `${folder}/${next}`;
  }
  throw new Error('too many links lead on from there.');
}
