// `ambry/passages`: splits documents into passages that are short enough for one vector each. The command line and
// the demo use it.
import { AmbryError } from '../errors.ts';
import { tokenCounter } from './packing/count-tokens.ts';
import { type Piece, packSections } from './packing/pack-sections.ts';
import { readContents } from './readers.ts';
import type { Section } from './sections/section.ts';
import type { DocumentOptions, DocumentRead, Passage } from './types.ts';
import { Yielder } from './yielder.ts';

/** The file name extensions that `readDocument` reads. */
export { passageFileTypes } from './readers.ts';
export { type RecordOptions, readRecords } from './records/record-stream.ts';
export type { DocumentOptions, DocumentRead, Passage, StreamedRecord } from './types.ts';

const defaultMaxTokens = 128;

/**
 * Splits a document into passages by its file type. Markdown, HTML, plain text and PDF are split at headings,
 * paragraphs and sentences; CSV, JSON and JSON Lines at records. A passage has 128 tokens at most. After a cut between
 * sentences the next passage begins with the last sentence again. The encoding is detected.
 *
 * Rejects with an {@link AmbryError}: `BadValue` for broken CSV or JSON, `Unsupported` for an unknown type and for
 * files that are not text, `LimitExceeded` for a file that is too large. An abort rejects with an `AbortError`.
 *
 * @example
 * const { passages, warnings } = await readDocument('notes.md', new Uint8Array(await file.arrayBuffer()), {
 *   count: (texts) => model.tokenCounts(texts),
 * });
 * const index = await createIndex(model, passages);
 */
export async function readDocument(
  path: string,
  bytes: Uint8Array,
  options: DocumentOptions = {},
): Promise<DocumentRead> {
  const { most: maxTokens = defaultMaxTokens, signal } = options;
  if (!(Number.isInteger(maxTokens) && maxTokens > 0)) {
    const message = `options.most must be a positive integer, not ${maxTokens}.`;
    throw new AmbryError('BadValue', message, { path: 'options.most' });
  }
  signal?.throwIfAborted();
  const { sections, encoding, warnings } = await readContents(path, bytes, signal);
  const yielder = new Yielder(signal);
  const packed = await packSections(sections, maxTokens, tokenCounter(options, yielder), yielder);
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

/**
 * Leaves out passages whose text occurred before. White space and letter case do not matter.
 *
 * @example
 * const { passages, dropped } = dropDuplicates(read.flatMap((document) => document.passages));
 */
export function dropDuplicates(passages: readonly Passage[]): {
  passages: Passage[];
  dropped: number;
} {
  const seen = new Set<string>();
  const kept = passages.filter(({ text }) => {
    const key = text.replace(/\s+/g, ' ').trim().toLowerCase();
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
  return { passages: kept, dropped: passages.length - kept.length };
}
