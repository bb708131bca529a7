// From files to passages.

import type { PathFile } from '../shared/dropped-files.ts';
import type { DocumentSource } from './state.ts';

async function textOf({ path, file }: PathFile): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const message = `${path} is not UTF-8 text. Save it in that encoding and try again.`;
    throw new Error(message, { cause });
  }
}

/** A name without a type, as pasted text has, stands for plain text. The splitter is fetched with the
 *  first document of one's own: the first answer does not wait for it. */
async function passagesOf(path: string, text: string): Promise<DocumentSource['passages']> {
  const { passagesFromFile } = await import('ambry/passages');
  if (/\.[^./]+$/.test(path)) {
    return passagesFromFile(path, text);
  }
  return passagesFromFile(`${path}.txt`, text).map((passage) => ({ ...passage, source: path }));
}

export interface ReadDocuments {
  readonly sources: readonly DocumentSource[];
  /** Paths of files without any text. */
  readonly empty: readonly string[];
}

export async function readDocuments(
  files: readonly PathFile[],
  signal: AbortSignal,
): Promise<ReadDocuments> {
  const sources: DocumentSource[] = [];
  const empty: string[] = [];
  for (const given of files) {
    signal.throwIfAborted();
    const passages = await passagesOf(given.path, await textOf(given));
    if (passages.length === 0) {
      empty.push(given.path);
    } else {
      sources.push({ name: given.path, passages });
    }
  }
  if (sources.length === 0) {
    throw new Error(`There is no text in ${empty.join(', ')}.`);
  }
  return { sources, empty };
}
