// The types of documents: what reads them, and how large they may be.
import { AmbryError } from '../../base/errors.ts';
import { adviceFor } from './left-out.ts';
import { typeOf } from './type-of.ts';

interface ReaderRow {
  /** The file name extensions. */
  readonly types: readonly string[];
  /** Larger documents are refused. Their text, or the tree made of it, would not fit in memory. */
  readonly maxMegabytes: number;
}

const readers = {
  text: { types: ['.txt', '.text'], maxMegabytes: 256 },
  markdown: { types: ['.md', '.markdown'], maxMegabytes: 64 },
  mdx: { types: ['.mdx'], maxMegabytes: 64 },
  html: { types: ['.html', '.htm'], maxMegabytes: 64 },
  rst: { types: ['.rst', '.rest'], maxMegabytes: 64 },
  asciidoc: { types: ['.adoc', '.asciidoc'], maxMegabytes: 64 },
  notebook: { types: ['.ipynb'], maxMegabytes: 64 },
  word: { types: ['.docx'], maxMegabytes: 256 },
  pdf: { types: ['.pdf'], maxMegabytes: 512 },
  records: { types: ['.csv', '.tsv', '.json', '.jsonl', '.ndjson'], maxMegabytes: 256 },
  yaml: { types: ['.yaml', '.yml'], maxMegabytes: 64 },
  log: { types: ['.log'], maxMegabytes: 256 },
} as const satisfies Readonly<Record<string, ReaderRow>>;

export type ReaderId = keyof typeof readers;

const megabyte = 1 << 20;

const idsByType: ReadonlyMap<string, ReaderId> = new Map(
  Object.entries(readers).flatMap(([id, { types }]) =>
    types.map((type) => [type, id as ReaderId] as const),
  ),
);

export const passageFileTypes: readonly string[] = [...idsByType.keys()];

/** Whether files of this type hold records: tables and JSON. */
export const holdsRecords = (type: string): boolean => idsByType.get(type) === 'records';

/** What reads a document of this name and size. A name without a type stands for plain text. */
export function readerFor(path: string, bytes: Uint8Array): ReaderId {
  const type = typeOf(path);
  const reader = type === '' ? 'text' : idsByType.get(type);
  if (!reader) {
    throw new AmbryError('Unsupported', unsupported(path, type));
  }
  const limit = readers[reader].maxMegabytes;
  if (bytes.length > limit * megabyte) {
    const message = `${path} is larger than ${limit} MB, the limit for its type. Split it into smaller files.`;
    throw new AmbryError('LimitExceeded', message, { byteOffset: limit * megabyte });
  }
  return reader;
}

function unsupported(path: string, type: string): string {
  const advice = adviceFor(type);
  const known = `Supported types are ${passageFileTypes.join(', ')}.`;
  return advice === undefined
    ? `${path} has a type that is not supported. ${known}`
    : `${path} has a type that is not supported. ${advice}`;
}
