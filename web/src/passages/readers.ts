// Chooses the reader for a document by the type in its name.
import { AmbryError } from '../errors.ts';
import type { Block, Section } from './sections/section.ts';
import { TextBuilder } from './sections/text-builder.ts';
import { decodeText } from './text/decode.ts';
import type { DecodedText } from './text/decoding.ts';

/** What a reader returns. */
export interface DocumentContents {
  readonly sections: readonly Section[];
  readonly encoding: string | null;
  readonly warnings: readonly string[];
}

interface Input {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The file name extension in lower case, with its dot. */
  readonly type: string;
  readonly signal: AbortSignal | undefined;
}

interface Reader {
  /** Larger documents are refused. Their text, or the tree made of it, would not fit in memory. */
  readonly maxBytes: number;
  readonly read: (input: Input) => Promise<DocumentContents>;
}

const megabyte = 1 << 20;

const text: Reader = {
  maxBytes: 256 * megabyte,
  read: async ({ path, bytes }) => {
    const document = await decodeText(path, bytes);
    return contents(document, textSections(document.text));
  },
};

const markdown: Reader = {
  maxBytes: 64 * megabyte,
  read: async ({ path, bytes }) => {
    const document = await decodeText(path, bytes);
    const { markdownSections } = await import('./markdown/markdown.ts');
    return contents(
      document,
      withinStack(path, () => markdownSections(document.text)),
    );
  },
};

const html: Reader = {
  maxBytes: 64 * megabyte,
  read: async ({ path, bytes }) => {
    const { declaredEncoding, htmlSections } = await import('./html/html.ts');
    const document = await decodeText(path, bytes, declaredEncoding(bytes));
    return contents(document, htmlSections(document.text));
  },
};

const records: Reader = {
  maxBytes: 256 * megabyte,
  read: async ({ path, bytes, type }) => {
    const document = await decodeText(path, bytes);
    const { recordSections } = await import('./records/record-sections.ts');
    const { sections, warnings } = recordSections(path, document, type);
    const { encoding } = document;
    return { sections, encoding, warnings: [...document.warnings, ...warnings] };
  },
};

const pdf: Reader = {
  maxBytes: 512 * megabyte,
  read: async ({ path, bytes, signal }) => {
    const { readPdf } = await import('./pdf/pdf.ts');
    return { ...(await readPdf(path, bytes, signal)), encoding: null };
  },
};

const readers = new Map<string, Reader>([
  ['.txt', text],
  ['.text', text],
  ['.md', markdown],
  ['.markdown', markdown],
  ['.html', html],
  ['.htm', html],
  ['.csv', records],
  ['.tsv', records],
  ['.json', records],
  ['.jsonl', records],
  ['.ndjson', records],
  ['.pdf', pdf],
]);

export const passageFileTypes: readonly string[] = [...readers.keys()];

/** Reads a document. A name without a type stands for plain text. */
export async function readContents(
  path: string,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<DocumentContents> {
  const type = /[^/\\](\.[^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const reader = type === '' ? text : readers.get(type);
  if (!reader) {
    const known = passageFileTypes.join(', ');
    const message = `${path} has a type that is not supported. Supported types are ${known}.`;
    throw new AmbryError('Unsupported', message);
  }
  if (bytes.length > reader.maxBytes) {
    const limit = `${reader.maxBytes / megabyte} MB`;
    const message = `${path} is larger than ${limit}, the limit for its type. Split it into smaller files.`;
    throw new AmbryError('LimitExceeded', message, { byteOffset: reader.maxBytes });
  }
  return reader.read({ path, bytes, type, signal });
}

function contents(
  { encoding, warnings }: DecodedText,
  sections: readonly Section[],
): DocumentContents {
  return { sections, encoding, warnings };
}

/** Splits plain text into paragraphs at blank lines. Line breaks within a paragraph become spaces. */
function textSections(source: string): Section[] {
  const blocks: Block[] = [];
  const paragraph = new TextBuilder();
  let line = 0;
  for (const raw of source.split(/\r\n|[\r\n]/)) {
    line++;
    if (raw.trim() !== '') {
      paragraph.append(raw, line);
      paragraph.addSpace();
    } else if (!paragraph.isEmpty) blocks.push(paragraph.takeBlock('prose'));
  }
  if (!paragraph.isEmpty) blocks.push(paragraph.takeBlock('prose'));
  return blocks.length === 0 ? [] : [{ heading: '', blocks }];
}

/** The Markdown parser recurses into nested quotes and lists. Thousands of levels overflow the stack. */
function withinStack<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = `${path} nests lists or quotes too deeply. Remove some levels.`;
    throw new AmbryError('LimitExceeded', message, { cause: error });
  }
}
