// A corpus for `ambry index`: one file, standard input, or all files of a folder.
import { readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { AmbryError } from '../../errors.ts';
import {
  type DocumentOptions,
  type Passage,
  passageFileTypes,
  readDocument,
} from '../../passages/passages.ts';
import { describe, UnreadableError } from '../shared/failure.ts';
import { readable, readBytes } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';

export interface Corpus {
  readonly files: number;
  readonly passages: readonly Passage[];
}

export interface CorpusOptions {
  /** Counts tokens as the model does that the passages are for. */
  readonly count?: DocumentOptions['count'] | undefined;
  /** Warns of documents that cannot be read, instead of failing. */
  readonly skipBad?: boolean;
}

export async function readCorpus(
  argument: string,
  terminal: Terminal,
  { count, skipBad = false }: CorpusOptions = {},
): Promise<Corpus> {
  const folder = argument !== '-' && (await readable(argument)).isDirectory();
  const paths = folder ? await textFilesIn(argument, terminal) : [argument];
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
      terminal.note(`warning  ${path}: ${describe(error.toJSON())}`);
    }
  }
  return { files, passages };
}

function nameOf(path: string, argument: string): string {
  if (path === '-') return 'standard-input.txt';
  return path === argument ? path : relative(argument, path).split(sep).join('/');
}

/** All files of known types under a folder, in the order of their names; hidden ones are left out. */
async function textFilesIn(folder: string, terminal: Terminal): Promise<string[]> {
  const found: string[] = [];
  let others = 0;
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      for (const inner of await textFilesIn(path, terminal)) found.push(inner);
    else if (passageFileTypes.includes(extname(entry.name).toLowerCase())) found.push(path);
    else others++;
  }
  if (others > 0) terminal.note(`${folder}: left out ${others} files of other types`);
  return found;
}

export function needPassages({ passages }: Corpus, argument: string): void {
  if (passages.length > 0) return;
  throw new UnreadableError(`${argument} holds no text (${passageFileTypes.join(', ')})`);
}
