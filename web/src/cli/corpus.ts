// A corpus for `ambry index`: one file, standard input, or all files of a folder.
import { readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { type Passage, passageFileTypes, passagesFromFile } from '../passages/passages.ts';
import { UnreadableError } from './failure.ts';
import { readable, readText } from './input.ts';
import type { Terminal } from './terminal.ts';

export interface Corpus {
  readonly files: number;
  readonly passages: readonly Passage[];
}

export async function readCorpus(argument: string, terminal: Terminal): Promise<Corpus> {
  const folder = argument !== '-' && (await readable(argument)).isDirectory();
  if (!folder) {
    const name = argument === '-' ? 'standard-input.txt' : argument;
    return { files: 1, passages: passagesFromFile(name, await readText(argument)) };
  }
  const paths = await textFilesIn(argument, terminal);
  const passages: Passage[] = [];
  for (const path of paths) {
    terminal.signal.throwIfAborted();
    const name = relative(argument, path).split(sep).join('/');
    for (const passage of passagesFromFile(name, await readText(path))) passages.push(passage);
  }
  return { files: paths.length, passages };
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
