// Documents to passages: what a search index takes in, of a length that one vector can stand for.
// `ambry/passages`, used by the command line and the demo.
import { recordsOf } from './records.ts';
import { sectionsOf } from './sections.ts';
import { packParagraphs } from './split.ts';

/** A piece of a document, ready for `createIndex`. */
export interface Passage {
  /** The record's own id, or `path#3`: the third passage of the document. */
  readonly id: string | number;
  readonly text: string;
  /** The document's path, as given. */
  readonly source: string;
  /** Where the passage begins: its line in a text, or its record in a table; from 1. */
  readonly position: number;
  readonly [field: string]: unknown;
}

/** File names that `passagesFromFile` takes. */
export const passageFileTypes: readonly string[] = ['.txt', '.md', '.csv', '.json', '.jsonl'];

/**
 * Splits a document by its file type: Markdown by headings, paragraphs and sentences; plain text by
 * paragraphs and sentences; CSV, JSON and JSON Lines by records. Passages have about 100 words at most.
 *
 * Throws an {@link AmbryError}: `BadValue` for a broken CSV or JSON file, `Unsupported` for any other
 * type.
 *
 * @example
 * const passages = passagesFromFile('notes.md', await file.text());
 * const index = await createIndex(model, passages);
 */
export function passagesFromFile(path: string, text: string): Passage[] {
  const type = /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '';
  const clean = text.replace(/^\uFEFF/, '');
  if (type === '.csv' || type === '.json' || type === '.jsonl') {
    return fromRecords(path, type, clean);
  }
  return fromText(path, type, clean);
}

function fromText(path: string, type: string, text: string): Passage[] {
  const passages: Passage[] = [];
  for (const { heading, paragraphs } of sectionsOf(path, type, text)) {
    for (const piece of packParagraphs(paragraphs)) {
      passages.push({
        id: `${path}#${passages.length + 1}`,
        text: heading === '' ? piece.text : `${heading}: ${piece.text}`,
        source: path,
        position: piece.line,
        ...(heading !== '' && { heading }),
      });
    }
  }
  return passages;
}

/** All parts of a long record keep its id, so that a hit names the record. */
function fromRecords(path: string, type: string, text: string): Passage[] {
  return recordsOf(path, type, text).flatMap(({ id, text: whole, fields }, i) =>
    packParagraphs([{ text: whole, line: i + 1 }]).map((piece) => ({
      ...fields,
      id: id ?? `${path}#${i + 1}`,
      text: piece.text,
      source: path,
      position: i + 1,
    })),
  );
}
