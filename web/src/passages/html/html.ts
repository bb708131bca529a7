// Turns HTML into sections: title, headings, paragraphs, lists and tables. No script is run and nothing is fetched.
import { decodeHTML } from 'entities/decode';
import type { Section } from '../sections/section.ts';
import { SectionBuilder } from '../sections/section-builder.ts';
import { HtmlReader } from './html-reader.ts';

const encodingPattern =
  /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)|<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i;
/** The declaration must lie within this many bytes. */
const declarationBytes = 1024;

/** Finds the encoding that the page declares. A declaration that can be read as ASCII cannot be in UTF-16, so a page
 *  that claims UTF-16 is ignored. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, declarationBytes));
  const found = encodingPattern.exec(head);
  const name = found?.[1] ?? found?.[2];
  return name === undefined || /^utf-?16/i.test(name) ? undefined : name;
}

export function* htmlSections(text: string): Generator<readonly Section[]> {
  const sections = new SectionBuilder();
  for (const _ of new HtmlReader(text, sections, 1, false).read()) {
    yield sections.take();
  }
  yield sections.finish();
}

/** Adds a piece of HTML that begins at `line` of the document. */
export function addHtml(text: string, line: number, sections: SectionBuilder): void {
  const steps = new HtmlReader(text, sections, line, true).read();
  while (!steps.next().done) {}
}

/** Decodes character references such as `&amp;`. */
export function decodeEntities(text: string): string {
  return decodeHTML(text);
}
