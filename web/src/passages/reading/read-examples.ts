// Reads texts with their labels: a table, JSON, or lines of fastText. Pages fetch the parsers with the first such call.
import { checked } from '../../base/call.ts';
import { type Kind, text } from '../../base/kinds.ts';
import { Yielder } from '../../base/yielder.ts';
import { holdsRecords } from '../base/file-types.ts';
import { typeOf } from '../base/type-of.ts';
import type { ReadExamples } from '../base/types.ts';

const bytesOfFile: Kind = {
  words: 'the bytes of a file, such as new Uint8Array(await file.arrayBuffer())',
  is: (value) => value instanceof Uint8Array || value instanceof ArrayBuffer,
};

/** How fastText marks labels, unless it is told another way. */
const mark = '__label__';

export const readExamples: ReadExamples = checked(
  async (name, bytes) => {
    const { decodeText } = await import('../text/decode.ts');
    const own = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
    const document = await decodeText(name, own);
    const warnings = [...document.warnings];
    const rows = await rowsOf(name, document, warnings);
    const yielder = new Yielder(undefined);
    const examples: { readonly text: string; readonly label: string }[] = [];
    for (const row of rows) {
      // `createClassifier` says which of them has no text or no label.
      examples.push(row as (typeof examples)[number]);
      await yielder.yieldIfDue();
    }
    return { examples, warnings };
  },
  { name: text, bytes: bytesOfFile },
);

type Document = Awaited<ReturnType<typeof import('../text/decode.ts').decodeText>>;

async function rowsOf(
  name: string,
  document: Document,
  warnings: string[],
): Promise<Iterable<unknown>> {
  const type = wayOf(name, document.text);
  if (type === '.txt') {
    return fastTextRows(document.text);
  }
  if (type === '.csv' || type === '.tsv') {
    return (await import('../records/csv-rows.ts')).csvRows(name, document, type, warnings);
  }
  const { jsonLineRows, jsonRows } = await import('../records/json-rows.ts');
  return type === '.json' ? jsonRows(name, document) : jsonLineRows(name, document);
}

/** By the name of the file, and else by how the text begins. */
function wayOf(name: string, content: string): string {
  const type = typeOf(name);
  if (holdsRecords(type)) {
    return type;
  }
  const begin = content.trimStart();
  if (begin.startsWith('{')) {
    return '.jsonl';
  }
  if (begin.startsWith('[')) {
    return '.json';
  }
  return begin.startsWith(mark) ? '.txt' : '.csv';
}

/** A line has labels, which begin with the mark, and a text. Each label makes an example. */
function* fastTextRows(content: string): Generator<unknown> {
  for (const line of content.split(/\r?\n/)) {
    const words = line.trim().split(/\s+/);
    const labels = words.filter((word) => word.startsWith(mark));
    const rest = words.filter((word) => !word.startsWith(mark)).join(' ');
    if (rest !== '' && labels.length === 0) {
      yield { text: rest };
    }
    for (const label of labels) {
      yield { text: rest, label: label.slice(mark.length) };
    }
  }
}
