// Turns tables and lists of records into sections, one for each record.
import { AmbryError } from '../../base/errors.ts';
import type { Section } from '../sections/section.ts';
import type { DecodedText } from '../text/decoding.ts';
import { csvRows } from './csv-rows.ts';
import { jsonLineRows, jsonRows } from './json-rows.ts';
import { isDeeper, toRecord } from './records.ts';

/** Fields go through messages and through JSON, and both recurse into them. */
const maxDepth = 1000;

/** Sections are handed out when they have so many code units of text, or when there are so many. */
const maxUnits = 1 << 18;
const maxSections = 1024;

/** Adds its warnings to `warnings` in the end. */
export function* recordSections(
  path: string,
  document: DecodedText,
  type: string,
  warnings: string[],
): Generator<readonly Section[]> {
  let sections: Section[] = [];
  let units = 0;
  let position = 0;
  let skipped = 0;
  for (const row of rowsOf(path, document, type, warnings)) {
    position++;
    const { id, text, fields } = toRecord(row);
    if (isDeeper(fields, maxDepth)) {
      throw nestedTooDeeply(path, position);
    }
    if (text === '') {
      skipped++;
      continue;
    }
    const record = { id: id ?? `${path}#${position}`, fields };
    sections.push({ heading: '', blocks: [{ text, position, kind: 'prose' }], record });
    units += text.length;
    if (units < maxUnits && sections.length < maxSections) {
      continue;
    }
    yield sections;
    sections = [];
    units = 0;
  }
  yield sections;
  if (skipped > 0) {
    warnings.push(`${skipped} of ${position} records had no text and were left out.`);
  }
}

function nestedTooDeeply(path: string, record: number): AmbryError {
  const message = `${path}, record ${record}, nests values more than ${maxDepth} levels deep. Flatten it.`;
  return new AmbryError('LimitExceeded', message, { path: `record ${record}` });
}

function rowsOf(
  path: string,
  document: DecodedText,
  type: string,
  warnings: string[],
): Iterable<unknown> {
  if (!/\S/.test(document.text)) {
    return [];
  }
  if (type === '.csv' || type === '.tsv') {
    return csvRows(path, document, type, warnings);
  }
  return type === '.json' ? jsonRows(path, document) : jsonLineRows(path, document);
}
