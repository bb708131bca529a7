// Turns tables and lists of records into sections, one for each record.
import { AmbryError } from '../../errors.ts';
import type { Section } from '../sections/section.ts';
import type { DecodedText } from '../text/decoding.ts';
import { csvRows } from './csv-rows.ts';
import { jsonLineRows, jsonRows } from './json-rows.ts';
import { isDeeper, toRecord } from './records.ts';

/** Fields go through messages and through JSON, and both recurse into them. */
const maxDepth = 1000;

interface Rows {
  readonly rows: readonly unknown[];
  readonly warnings: readonly string[];
}

export function recordSections(
  path: string,
  document: DecodedText,
  type: string,
): { sections: Section[]; warnings: string[] } {
  const { rows, warnings } = rowsOf(path, document, type);
  const sections: Section[] = [];
  rows.forEach((row, i) => {
    const { id, text, fields } = toRecord(row);
    if (isDeeper(fields, maxDepth)) throw nestedTooDeeply(path, i + 1);
    if (text === '') return;
    const position = i + 1;
    const record = { id: id ?? `${path}#${position}`, fields };
    sections.push({ heading: '', blocks: [{ text, position, kind: 'prose' }], record });
  });
  const skipped = rows.length - sections.length;
  const message = `${skipped} of ${rows.length} records had no text and were left out.`;
  return { sections, warnings: skipped > 0 ? [...warnings, message] : [...warnings] };
}

function nestedTooDeeply(path: string, record: number): AmbryError {
  const message = `${path}, record ${record}, nests values more than ${maxDepth} levels deep. Flatten it.`;
  return new AmbryError('LimitExceeded', message, { path: `record ${record}` });
}

function rowsOf(path: string, document: DecodedText, type: string): Rows {
  if (document.text.trim() === '') return { rows: [], warnings: [] };
  if (type === '.csv' || type === '.tsv') return csvRows(path, document.text, type);
  const rows = type === '.json' ? jsonRows(path, document) : jsonLineRows(path, document);
  return { rows, warnings: [] };
}
