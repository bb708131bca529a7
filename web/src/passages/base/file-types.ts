// The types of documents: what reads them, and how large they may be.
import { AmbryError } from '../../base/errors.ts';

export type ReaderId = 'text' | 'markdown' | 'html' | 'records' | 'pdf';

const readers = new Map<string, ReaderId>([
  ['.txt', 'text'],
  ['.text', 'text'],
  ['.md', 'markdown'],
  ['.markdown', 'markdown'],
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.csv', 'records'],
  ['.tsv', 'records'],
  ['.json', 'records'],
  ['.jsonl', 'records'],
  ['.ndjson', 'records'],
  ['.pdf', 'pdf'],
]);

const megabyte = 1 << 20;
/** Larger documents are refused. Their text, or the tree made of it, would not fit in memory. */
const maxMegabytes: Readonly<Record<ReaderId, number>> = {
  text: 256,
  markdown: 64,
  html: 64,
  records: 256,
  pdf: 512,
};

export const passageFileTypes: readonly string[] = [...readers.keys()];

/** The file name extension in lower case, with its dot. */
export function typeOf(path: string): string {
  return /[^/\\](\.[^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** What reads a document of this name and size. A name without a type stands for plain text. */
export function readerFor(path: string, bytes: Uint8Array): ReaderId {
  const type = typeOf(path);
  const reader = type === '' ? 'text' : readers.get(type);
  if (!reader) {
    const known = passageFileTypes.join(', ');
    const message = `${path} has a type that is not supported. Supported types are ${known}.`;
    throw new AmbryError('Unsupported', message);
  }
  const limit = maxMegabytes[reader];
  if (bytes.length > limit * megabyte) {
    const message = `${path} is larger than ${limit} MB, the limit for its type. Split it into smaller files.`;
    throw new AmbryError('LimitExceeded', message, { byteOffset: limit * megabyte });
  }
  return reader;
}
