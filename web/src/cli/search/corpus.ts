// Reads the corpus of `ambry index`: a file, standard input, or all files of a folder.
import { readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { AmbryError } from '../../errors.ts';
import {
  type DocumentOptions,
  type Passage,
  passageFileTypes,
  readDocument,
} from '../../passages/node-passages.ts';
import { describeProblem, UnreadableError } from '../shared/failure.ts';
import { plural } from '../shared/format.ts';
import { readBytes, statReadable } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';

export interface Corpus {
  readonly files: number;
  readonly passages: readonly Passage[];
}

export interface CorpusOptions {
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
  const paths = isFolder ? await documentsIn(argument, terminal) : [argument];
  const options = { signal: terminal.signal, ...(count && { count }) };
  const passages: Passage[] = [];
  let files = 0;
  for (const path of paths) {
    try {
      const read = await readDocument(nameOf(path, argument), await readBytes(path), options);
      for (const warning of read.warnings) terminal.note(`${path}: ${warning}`);
      for (const passage of read.passages) passages.push(passage);
      files++;
    } catch (error) {
      if (!skipBad || !(error instanceof AmbryError)) throw error;
      terminal.note(`warning  ${path}: ${describeProblem(error.toJSON())}`);
    }
  }
  if (passages.length === 0) {
    const types = passageFileTypes.join(', ');
    throw new UnreadableError(`There is no text in ${argument}. These types are read: ${types}`);
  }
  return { files, passages };
}

function nameOf(path: string, argument: string): string {
  if (path === '-') return 'standard-input.txt';
  return path === argument ? path : relative(argument, path).split(sep).join('/');
}

/** Lists all files of supported types in a folder and its subfolders, sorted by name. Hidden files are left out. */
async function documentsIn(folder: string, terminal: Terminal): Promise<string[]> {
  const found: string[] = [];
  let others = 0;
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      for (const inner of await documentsIn(path, terminal)) found.push(inner);
    } else if (passageFileTypes.includes(extname(entry.name).toLowerCase())) found.push(path);
    else others++;
  }
  if (others > 0) terminal.note(`${folder}: left out ${plural(others, 'file')} of other types`);
  return found;
}
