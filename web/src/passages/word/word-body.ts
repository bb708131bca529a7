// Follows the tags of a Word document's text, and gives its paragraphs, lists and tables to sections. Deleted text, codes of fields
// and tables of contents are left out. A picture gives its description.
import type { SectionBuilder } from '../sections/section-builder.ts';
import type { Notes } from './notes.ts';
import { headingLevel, type StyleRole } from './styles.ts';
import { WordTables } from './word-tables.ts';
import type { Attributes, XmlHandler } from './xml-scanner.ts';

interface Paragraph {
  text: string;
  role: StyleRole;
  isItem: boolean;
  readonly notes: string[];
}

/** What these hold is not the text: deleted or moved text, a second form of the same, readings of ruby. */
const skipped = new Set(['w:del', 'w:moveFrom', 'mc:Fallback', 'w:rt']);
const breaks = new Set(['w:br', 'w:cr', 'w:tab']);
/** A paragraph that is longer is given in parts. */
const maxUnits = 1 << 19;

export interface WordParts {
  readonly roleOf: (styleId: string) => StyleRole;
  readonly footnotes: Notes;
  readonly endnotes: Notes;
}

export class WordBody implements XmlHandler {
  readonly #sections: SectionBuilder;
  readonly #parts: WordParts;
  readonly #tables: WordTables;
  /** The paragraphs that are open. One of a text box lies in another. */
  readonly #open: Paragraph[] = [];
  #skipped = 0;
  #isText = false;
  #isInProperties = false;
  #number = 0;
  #hasTitle = false;

  constructor(sections: SectionBuilder, parts: WordParts) {
    this.#sections = sections;
    this.#parts = parts;
    this.#tables = new WordTables(sections);
  }

  readonly open = (tag: string, attributes: Attributes): void => {
    if (this.#skipped > 0 || skipped.has(tag)) {
      this.#skipped++;
      return;
    }
    this.#isText = tag === 'w:t' || tag === 'm:t';
    if (tag === 'w:p') {
      this.#number++;
      this.#sections.position = this.#number;
      this.#open.push({ text: '', role: undefined, isItem: false, notes: [] });
    } else if (tag === 'w:pPr') {
      this.#isInProperties = true;
    } else if (this.#isInProperties) {
      this.#readProperty(tag, attributes);
    } else {
      this.#tables.open(tag, attributes);
      this.#readSign(tag, attributes);
    }
  };

  readonly close = (tag: string): void => {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    this.#isText = false;
    if (tag === 'w:pPr') {
      this.#isInProperties = false;
    } else if (tag === 'w:p') {
      this.#endParagraph();
    } else {
      this.#tables.close(tag);
    }
  };

  readonly text = (text: string): void => {
    const paragraph = this.#open.at(-1);
    if (!this.#isText || this.#skipped > 0 || !paragraph) {
      return;
    }
    paragraph.text += text;
    if (paragraph.text.length > maxUnits) {
      this.#give(paragraph);
      paragraph.text = '';
    }
  };

  #readProperty(tag: string, attributes: Attributes): void {
    const paragraph = this.#open.at(-1);
    const value = attributes['w:val'] ?? '';
    if (!paragraph) {
      return;
    }
    if (tag === 'w:pStyle') {
      paragraph.role = this.#parts.roleOf(value);
    } else if (tag === 'w:outlineLvl') {
      paragraph.role = headingLevel(Number(value)) ?? paragraph.role;
    } else if (tag === 'w:numId') {
      paragraph.isItem = value !== '0';
    }
  }

  #readSign(tag: string, attributes: Attributes): void {
    const paragraph = this.#open.at(-1);
    if (!paragraph) {
      return;
    }
    const id = attributes['w:id'] ?? '';
    if (breaks.has(tag)) {
      paragraph.text += ' ';
    } else if (tag === 'w:noBreakHyphen') {
      paragraph.text += '-';
    } else if (tag === 'w:footnoteReference') {
      paragraph.notes.push(this.#parts.footnotes.get(id) ?? '');
    } else if (tag === 'w:endnoteReference') {
      paragraph.notes.push(this.#parts.endnotes.get(id) ?? '');
    } else if (tag === 'wp:docPr' && attributes['descr']) {
      paragraph.text += ` ${attributes['descr']} `;
    }
  }

  #endParagraph(): void {
    const paragraph = this.#open.pop();
    if (!paragraph || paragraph.role === 'contents') {
      return;
    }
    this.#give(paragraph);
    for (const text of paragraph.notes) {
      this.#give({ ...paragraph, text, role: undefined });
    }
  }

  #give({ text, role, isItem }: Paragraph): void {
    const tidy = text.replace(/\s+/g, ' ').trim();
    const block = { text: tidy, position: this.#number, kind: isItem ? 'item' : 'prose' } as const;
    if (this.#tables.isOpen) {
      this.#tables.add(tidy);
    } else if (role === 'title') {
      this.#hasTitle ||= tidy !== '';
      this.#sections.addHeading(1, block);
    } else if (typeof role === 'number') {
      // The headings of a document with a title lie below it.
      this.#sections.addHeading(role + (this.#hasTitle ? 1 : 0), block);
    } else {
      this.#sections.addBlock(block);
    }
  }
}
