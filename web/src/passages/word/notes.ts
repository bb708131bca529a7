// The footnotes and endnotes of a Word document, by their ids.
import { AmbryError } from '../../base/errors.ts';
import { readXml, type ZipDocument } from './xml-parts.ts';

export type Notes = ReadonlyMap<string, string>;

const maxUnits = 1 << 24;

/** `kind` is `footnote` or `endnote`. */
export function notesOf(document: ZipDocument, kind: 'footnote' | 'endnote'): Notes {
  const notes = new Map<string, string>();
  let id: string | undefined;
  let text = '';
  let isText = false;
  let units = 0;
  readXml(document, `word/${kind}s.xml`, {
    open: (tag, attributes) => {
      if (tag === `w:${kind}`) {
        // A note with a type is the line between the text and the notes.
        id = attributes['w:type'] === undefined ? attributes['w:id'] : undefined;
        text = '';
      }
      isText = tag === 'w:t';
      if (tag === 'w:p' || tag === 'w:tab' || tag === 'w:br') {
        text += ' ';
      }
    },
    close: (tag) => {
      isText = false;
      if (tag === `w:${kind}` && id !== undefined) {
        notes.set(id, text.replace(/\s+/g, ' ').trim());
      }
    },
    text: (part) => {
      if (isText) {
        text += part;
        units += part.length;
      }
      if (units > maxUnits) {
        const message = `${document.path} has notes of more than ${maxUnits} characters. Save it as .txt.`;
        throw new AmbryError('LimitExceeded', message, { path: `word/${kind}s.xml` });
      }
    },
  });
  return notes;
}
