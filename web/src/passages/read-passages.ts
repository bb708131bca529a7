// Reads a document on this thread, and cuts it into passages.
import type { Readers } from './contents.ts';
import { readerFor } from './file-types.ts';
import { tokenCounter } from './packing/count-tokens.ts';
import { type Piece, packSections } from './packing/pack-sections.ts';
import type { Section } from './sections/section.ts';
import type { DocumentOptions, DocumentRead, Passage } from './types.ts';
import { Yielder } from './yielder.ts';

export interface ReadOptions extends Pick<DocumentOptions, 'count' | 'signal'> {
  readonly most: number;
  readonly onStep?: (step: string) => void;
}

export async function readPassages(
  path: string,
  bytes: Uint8Array,
  options: ReadOptions,
  readers: Readers,
): Promise<DocumentRead> {
  const { most, signal, onStep = () => {} } = options;
  const read = readers[readerFor(path, bytes)];
  if (!read) throw new Error('This worker does not read such documents.');
  const yielder = new Yielder(signal);
  const pace = { yielder, onStep };
  const { sections, encoding, warnings } = await read({ path, bytes, pace });
  const packed = await packSections(sections, most, tokenCounter(options, yielder), yielder);
  const passages = passagesOf(path, sections, packed);
  const needsWarning = passages.length === 0 && warnings.length === 0;
  const emptyWarning = bytes.length === 0 ? 'The file is empty.' : 'The document has no text.';
  return { passages, encoding, warnings: needsWarning ? [emptyWarning] : [...warnings] };
}

/** All passages of a long record get its id, so that a search result names the record. */
function passagesOf(
  path: string,
  sections: readonly Section[],
  packed: readonly (readonly Piece[])[],
): Passage[] {
  const passages: Passage[] = [];
  sections.forEach(({ heading, record, isPaged }, i) => {
    for (const { text, position } of packed[i] ?? []) {
      passages.push({
        ...record?.fields,
        id: record?.id ?? `${path}#${passages.length + 1}`,
        text,
        source: path,
        position,
        ...(heading !== '' && { heading }),
        ...(isPaged && { page: position }),
      });
    }
  });
  return passages;
}
