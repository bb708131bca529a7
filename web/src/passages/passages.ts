// Documents to passages: what a search index takes in, of a length that one vector can stand for.
// `ambry/passages`, used by the command line and the demo.
import { AmbryError } from '../errors.ts';
import { counterFor } from './packing/count-tokens.ts';
import { type Piece, packSections } from './packing/pack-sections.ts';
import { readContents } from './readers.ts';
import type { Section } from './sections/blocks.ts';
import type { DocumentOptions, DocumentRead, Passage } from './types.ts';
import { Pace } from './yielder.ts';

export { dropDuplicates } from './duplicates.ts';
/** File names that `readDocument` takes. */
export { passageFileTypes } from './readers.ts';
export { type RecordOptions, readRecords } from './records/record-stream.ts';
export type { DocumentOptions, DocumentRead, Passage, StreamedRecord } from './types.ts';

const kMostTokens = 128;

/**
 * Splits a document by its file type: Markdown, HTML, plain text and PDF by headings, paragraphs and
 * sentences; CSV, JSON and JSON Lines by records. Passages have 128 tokens at most; where one is cut between sentences, the next
 * begins with the last one again. The encoding is found out.
 *
 * Rejects with an {@link AmbryError}: `BadValue` for broken CSV or JSON, `Unsupported` for another type and for what is no
 * text, `LimitExceeded` for a file that is too large; and with an `AbortError`.
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
  const { most = kMostTokens, signal } = options;
  if (!(Number.isInteger(most) && most > 0)) {
    const message = `The most tokens of a passage must be a whole number above 0, not ${most}.`;
    throw new AmbryError('BadValue', message, { path: 'options.most' });
  }
  signal?.throwIfAborted();
  const { sections, encoding, warnings } = await readContents(path, bytes, signal);
  const pace = new Pace(signal);
  const packed = await packSections(sections, most, counterFor(options, pace), pace);
  const passages = passagesOf(path, sections, packed);
  const isSilent = passages.length === 0 && warnings.length === 0;
  const nothing = bytes.length === 0 ? 'It is empty.' : 'There is no text in it.';
  return { passages, encoding, warnings: isSilent ? [nothing] : [...warnings] };
}

/** All parts of a long record keep its id, so that a hit names the record. */
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
