// Reads the corpus of `ambry index`: a file, standard input, or all files of a folder.
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, sep } from 'node:path';
import { AmbryError } from '../../base/errors.ts';
import {
  type DocumentOptions,
  leftOutOf,
  type Passage,
  passageFileTypes,
  readDocument,
} from '../../entries/passages/node-passages.ts';
import { findTarget } from '../../output/node-target.ts';
import { describeProblem, UnreadableError, UsageError } from '../shared/failure.ts';
import { plural } from '../shared/format.ts';
import { isDirectory, readBytes, statReadable } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';

interface Corpus {
  readonly files: number;
  readonly passages: readonly Passage[];
}

interface CorpusOptions {
  /** Counts tokens like the model that embeds the passages. */
  readonly count?: DocumentOptions['count'] | undefined;
  /** Skip documents that cannot be read, with a warning. By default they are an error. */
  readonly skipBad?: boolean;
}

/** Fails if the corpus has no text. */
export async function readCorpus(
  argument: string,
  terminal: Terminal,
  { count, skipBad = false }: CorpusOptions = {},
): Promise<Corpus> {
  const isFolder = argument !== '-' && (await statReadable(argument)).isDirectory();
  const paths = isFolder ? await documentsOf(argument, terminal) : [argument];
  const options = { signal: terminal.signal, ...(count && { count }) };
  const passages: Passage[] = [];
  let files = 0;
  for (const path of paths) {
    try {
      const read = await readDocument(nameOf(path, argument), await readBytes(path), options);
      for (const warning of read.warnings) {
        terminal.note(`${path}: ${warning}`);
      }
      for (const passage of read.passages) {
        passages.push(passage);
      }
      files++;
    } catch (error) {
      if (!skipBad || !(error instanceof AmbryError)) {
        throw error;
      }
      terminal.note(`warning  ${path}: ${describeProblem(error.toJSON())}`);
    }
  }
  if (passages.length === 0) {
    const types = passageFileTypes.join(', ');
    throw new UnreadableError(`There is no text in ${argument}. These types are read: ${types}`);
  }
  return { files, passages };
}

/** Fails if the file that `name` stands for would be read as a document of the folder, now or the next time. */
export async function refuseDocument(
  corpus: string,
  target: string | undefined,
  name: string,
): Promise<void> {
  if (target === undefined || target === '-' || corpus === '-') {
    return;
  }
  if (!(await isDirectory(corpus))) {
    return;
  }
  const folder = await realpath(corpus);
  for (const path of await pathsOf(target)) {
    const inside = relative(folder, path);
    const isOutside = inside.startsWith('..') || isAbsolute(inside);
    if (isOutside || inside.split(sep).some(isHidden) || !isDocument(inside)) {
      continue;
    }
    const message = `${target} lies in ${corpus} and would be indexed itself. Name a file elsewhere, or one that ends in .ambryindex.`;
    throw new UsageError(message, name);
  }
}

/** The path in its folder and, where it is a link, the path of the file. */
async function pathsOf(target: string): Promise<string[]> {
  const folder = await realpath(dirname(target)).catch(() => undefined);
  if (folder === undefined) {
    return [];
  }
  const found = await findTarget(target);
  return [join(folder, basename(target)), ...(found.kind === 'file' ? [found.path] : [])];
}

function isHidden(name: string): boolean {
  return name.startsWith('.');
}

function isDocument(path: string): boolean {
  return passageFileTypes.includes(extname(path).toLowerCase());
}

function nameOf(path: string, argument: string): string {
  if (path === '-') {
    return 'standard-input.txt';
  }
  return path === argument ? path : relative(argument, path).split(sep).join('/');
}

/** At most so many kinds of files that are left out are named. */
const maxKinds = 12;

/** The documents of a folder. A note says which other files are left out, and what can be done. */
async function documentsOf(folder: string, terminal: Terminal): Promise<string[]> {
  const others: string[] = [];
  const found = await documentsIn(folder, others);
  const kinds = leftOutOf(others);
  for (const { count, name, types, advice } of kinds.slice(0, maxKinds)) {
    const isNamed = types.every((type) => type === '' || name.endsWith(type));
    const listed = isNamed ? '' : ` (${types.join(', ')})`;
    const next = advice === undefined ? '' : ` ${advice}`;
    terminal.note(`${folder}: left out ${count} ${name}${listed}.${next}`);
  }
  const rest = kinds.slice(maxKinds).reduce((sum, { count }) => sum + count, 0);
  if (rest > 0) {
    terminal.note(`${folder}: left out ${plural(rest, 'file')} of other types.`);
  }
  return found;
}

/** Lists all files of supported types in a folder and its subfolders, sorted by name, and adds other files to `others`. Hidden
 *  files are left out. */
async function documentsIn(folder: string, others: string[]): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (isHidden(entry.name)) {
      continue;
    }
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      for (const inner of await documentsIn(path, others)) {
        found.push(inner);
      }
    } else if (isDocument(entry.name)) {
      found.push(path);
    } else {
      others.push(path);
    }
  }
  return found;
}
