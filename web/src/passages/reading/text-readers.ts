// Reads documents that are text. In the package all of this is one file, with its libraries.
import { AmbryError, type ErrorPlace } from '../../base/errors.ts';
import type { ReaderId } from '../base/file-types.ts';
import { typeOf } from '../base/type-of.ts';
import { maxNesting, tooDeepAt } from '../markdown/nesting.ts';
import type { DocumentContents, Reader } from '../sections/contents.ts';
import type { Section } from '../sections/section.ts';
import { SectionBuilder } from '../sections/section-builder.ts';
import { maxBatchUnits } from '../sections/short-blocks.ts';
import { TextBuilder } from '../sections/text-builder.ts';
import { decodeText } from '../text/decode.ts';
import { byteOffsetOf, type DecodedText } from '../text/decoding.ts';
import { linesIn } from '../text/lines.ts';

const text: Reader = async ({ path, bytes }) => {
  const document = await decodeText(path, bytes);
  return contents(document, textSections(document.text));
};

const markdown: Reader = async ({ path, bytes }) => {
  const document = await decodeText(path, bytes);
  return markdownContents(path, document, document.text);
};

const mdx: Reader = async ({ path, bytes }) => {
  const document = await decodeText(path, bytes);
  const { markdownOf } = await import('../mdx/mdx.ts');
  return markdownContents(path, document, markdownOf(document.text));
};

/** `source` has the lines of the document. */
async function markdownContents(
  path: string,
  document: DecodedText,
  source: string,
): Promise<DocumentContents> {
  const { markdownSections } = await import('../markdown/markdown.ts');
  const deep = tooDeepAt(source);
  if (deep >= 0) {
    throw nestedTooDeeply(path, { byteOffset: byteOffsetOf(document, deep) });
  }
  return contents(document, withinStack(path, markdownSections(source)));
}

const html: Reader = async ({ path, bytes }) => {
  const { declaredEncoding, htmlSections } = await import('../html/html.ts');
  const document = await decodeText(path, bytes, declaredEncoding(bytes));
  return contents(document, htmlSections(document.text));
};

const records: Reader = async ({ path, bytes }) => {
  const document = await decodeText(path, bytes);
  const { recordSections } = await import('../records/record-sections.ts');
  const more: string[] = [];
  const sections = recordSections(path, document, typeOf(path), more);
  const { encoding, warnings } = document;
  return { sections, encoding, warnings: () => [...warnings, ...more] };
};

const notebook: Reader = async ({ path, bytes }) => {
  const document = await decodeText(path, bytes);
  const { notebookSections } = await import('../notebook/notebook.ts');
  return contents(document, withinStack(path, notebookSections(path, document)));
};

/** A reader that needs the text only. */
const ofText =
  (load: () => Promise<(source: string) => Iterable<readonly Section[]>>): Reader =>
  async ({ path, bytes }) => {
    const document = await decodeText(path, bytes);
    return contents(document, (await load())(document.text));
  };

export const textReaders: Readonly<Record<Exclude<ReaderId, 'pdf'>, Reader>> = {
  text,
  markdown,
  mdx,
  html,
  records,
  notebook,
  word: async (input) => (await import('../word/word.ts')).readWord(input),
  rst: ofText(async () => (await import('../rst/rst.ts')).rstSections),
  asciidoc: ofText(async () => (await import('../asciidoc/asciidoc.ts')).asciidocSections),
  yaml: ofText(async () => (await import('../lines/yaml.ts')).yamlSections),
  log: ofText(async () => (await import('../lines/log.ts')).logSections),
};

function contents(
  { encoding, warnings }: DecodedText,
  sections: Iterable<readonly Section[]>,
): DocumentContents {
  return { sections, encoding, warnings: () => warnings };
}

/** Splits plain text into paragraphs at blank lines. Line breaks within a paragraph become spaces. */
function* textSections(source: string): Generator<readonly Section[]> {
  const sections = new SectionBuilder();
  const paragraph = new TextBuilder();
  let line = 0;
  for (const raw of linesIn(source)) {
    line++;
    if (raw.trim() !== '') {
      paragraph.append(raw, line);
      paragraph.addSpace();
      if (paragraph.length < 2 * maxBatchUnits) {
        continue;
      }
      for (const piece of paragraph.takePieces('prose', maxBatchUnits)) {
        sections.addBlock(piece);
      }
    } else if (!paragraph.isEmpty) {
      sections.addBlock(paragraph.takeBlock('prose'));
    }
    if (sections.isFull) {
      yield sections.take();
    }
  }
  if (!paragraph.isEmpty) {
    sections.addBlock(paragraph.takeBlock('prose'));
  }
  yield sections.finish();
}

/** The Markdown parser recurses into brackets and emphasis, and its patterns keep every line of a paragraph. Thousands of
 *  levels, or a million lines, overflow the stack. */
function* withinStack<T>(path: string, items: Iterable<T>): Generator<T> {
  try {
    yield* items;
  } catch (error) {
    throw error instanceof RangeError ? tooComplex(path, error) : error;
  }
}

function nestedTooDeeply(path: string, place: ErrorPlace): AmbryError {
  const message = `${path} nests lists or quotes more than ${maxNesting} levels deep. Remove some levels.`;
  return new AmbryError('LimitExceeded', message, place);
}

function tooComplex(path: string, cause: RangeError): AmbryError {
  const message = `${path} has a paragraph of too many lines, or emphasis or links nested too deeply. Add blank lines, or save it as plain text.`;
  return new AmbryError('LimitExceeded', message, { cause });
}
