// Turns a Word document (.docx) into sections. It is a ZIP archive with the text as XML, which is read while it is unpacked.
import { AmbryError } from '../../base/errors.ts';
import type { Reader } from '../sections/contents.ts';
import type { Section } from '../sections/section.ts';
import { SectionBuilder } from '../sections/section-builder.ts';
import { notesOf } from './notes.ts';
import { styleRoles } from './styles.ts';
import { WordBody } from './word-body.ts';
import { xmlSteps, type ZipDocument } from './xml-parts.ts';
import { type ZipEntry, zipEntries } from './zip-entries.ts';

const zipMagic = 'PK';
/** The first bytes of documents that are encrypted, and of the old format. */
const oldMagic = '\xd0\xcf\x11\xe0';

export const readWord: Reader = async ({ path, bytes }) => {
  if (bytes.length === 0) {
    return { sections: [], encoding: null, warnings: () => [] };
  }
  const entries = entriesOf(path, bytes);
  const main = [...entries.keys()].find((name) => /^word\/document\d*\.xml$/.test(name));
  if (main === undefined) {
    const message = `${path} is no Word document: its archive has no word/document.xml. Save it as .docx, .pdf or .txt.`;
    throw new AmbryError('Unsupported', message);
  }
  const sections = sectionsOf({ path, bytes, entries }, main);
  return { sections, encoding: null, warnings: () => [] };
};

function* sectionsOf(document: ZipDocument, main: string): Generator<readonly Section[]> {
  const sections = new SectionBuilder();
  const body = new WordBody(sections, {
    roleOf: styleRoles(document),
    footnotes: notesOf(document, 'footnote'),
    endnotes: notesOf(document, 'endnote'),
  });
  for (const _ of xmlSteps(document, main, body)) {
    if (sections.isFull) {
      yield sections.take();
    }
  }
  yield sections.finish();
}

function entriesOf(path: string, bytes: Uint8Array): ReadonlyMap<string, ZipEntry> {
  const magic = new TextDecoder('windows-1252').decode(bytes.subarray(0, 4));
  if (
    magic ===
    new TextDecoder('windows-1252').decode(Uint8Array.from(oldMagic, (sign) => sign.charCodeAt(0)))
  ) {
    const message = `${path} is protected by a password, or an old Word document. Save it as .docx without a password.`;
    throw new AmbryError('Unsupported', message, { byteOffset: 0 });
  }
  if (!magic.startsWith(zipMagic)) {
    const message = `${path} is no Word document: it does not begin with ${zipMagic}. Save it as .docx, .pdf or .txt.`;
    throw new AmbryError('BadMagic', message, { byteOffset: 0 });
  }
  const entries = zipEntries(bytes);
  if (!entries) {
    const message = `${path} is cut off or damaged: the list of its parts is missing. Download or save the document anew.`;
    throw new AmbryError('Truncated', message, { byteOffset: bytes.length });
  }
  return entries;
}
