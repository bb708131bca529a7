// Which reader takes which type of document.
import { AmbryError } from '../errors.ts';
import type { Section } from './sections/blocks.ts';
import { type Decoded, decode } from './text/decode.ts';
import { plainSections } from './text/plain-text.ts';

/** What a reader found. */
export interface Contents {
  readonly sections: readonly Section[];
  readonly encoding: string | null;
  readonly warnings: readonly string[];
}

interface Input {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** With its dot, in lower case. */
  readonly type: string;
  readonly signal: AbortSignal | undefined;
}

interface Reader {
  /** Beyond this a document is refused: its text, or the tree made of it, would not fit in memory. */
  readonly mostBytes: number;
  readonly read: (input: Input) => Promise<Contents>;
}

const kMegabyte = 1 << 20;

const text: Reader = {
  mostBytes: 256 * kMegabyte,
  read: async ({ path, bytes }) => {
    const document = await decode(path, bytes);
    return contents(document, plainSections(document.text));
  },
};

const markdown: Reader = {
  mostBytes: 64 * kMegabyte,
  read: async ({ path, bytes }) => {
    const document = await decode(path, bytes);
    const { markdownSections } = await import('./markdown/markdown.ts');
    return contents(
      document,
      unlessTooDeep(path, () => markdownSections(document.text)),
    );
  },
};

const html: Reader = {
  mostBytes: 64 * kMegabyte,
  read: async ({ path, bytes }) => {
    const { declaredEncoding, htmlSections } = await import('./html/html.ts');
    const document = await decode(path, bytes, declaredEncoding(bytes));
    return contents(document, htmlSections(document.text));
  },
};

const records: Reader = {
  mostBytes: 256 * kMegabyte,
  read: async ({ path, bytes, type }) => {
    const document = await decode(path, bytes);
    const { recordSections } = await import('./records/record-sections.ts');
    const { sections, warnings } = recordSections(path, document, type);
    const { encoding } = document;
    return { sections, encoding, warnings: [...document.warnings, ...warnings] };
  },
};

const pdf: Reader = {
  mostBytes: 512 * kMegabyte,
  read: async ({ path, bytes, signal }) => {
    const { readPdf } = await import('./pdf/pdf.ts');
    return { ...(await readPdf(path, bytes, signal)), encoding: null };
  },
};

const kReaders = new Map<string, Reader>([
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

export const passageFileTypes: readonly string[] = [...kReaders.keys()];

/** A name without a type stands for plain text. */
export async function readContents(
  path: string,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Contents> {
  const type = /[^/\\](\.[^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const reader = type === '' ? text : kReaders.get(type);
  if (!reader) {
    const known = passageFileTypes.join(', ');
    const message = `No way to split this type of document: ${path}. Known are ${known}.`;
    throw new AmbryError('Unsupported', message);
  }
  if (bytes.length > reader.mostBytes) {
    const most = reader.mostBytes / kMegabyte;
    const message = `${path} has more than ${most} MB, the most that is read of its type; split it.`;
    throw new AmbryError('LimitExceeded', message, { byteOffset: reader.mostBytes });
  }
  return reader.read({ path, bytes, type, signal });
}

function contents({ encoding, warnings }: Decoded, sections: readonly Section[]): Contents {
  return { sections, encoding, warnings };
}

/** Quotes in quotes, thousands deep, are more than the parser's stack. */
function unlessTooDeep<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = `Lists or quotes in ${path} lie too deep in each other.`;
    throw new AmbryError('LimitExceeded', message, { cause: error });
  }
}
