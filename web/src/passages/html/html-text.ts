// The text of a page of HTML: goes into blocks, and these into sections. Tables and preformatted text take the text within them.

import type { SectionBuilder } from '../sections/section-builder.ts';
import { maxBatchUnits } from '../sections/short-blocks.ts';
import { TextBuilder } from '../sections/text-builder.ts';
import { blockElements, headingName, skippedElements } from './elements.ts';
import type { Place } from './html-scanner.ts';
import { HtmlTable } from './html-table.ts';

const beginsInLetter = /^[\p{L}\p{N}]/u;
const endsInLetter = /[\p{L}\p{N}]$/u;
const endsInWord = /\p{L}{3}$/u;

export class HtmlText {
  readonly #sections: SectionBuilder;
  readonly #text = new TextBuilder();
  /** The elements around the text that are items, or that are skipped. */
  #items = 0;
  #skipped = 0;
  #isInParagraph = false;
  /** The last signs of the text, to keep words, formulas and numbers of footnotes apart. */
  #lastSigns = '';
  #isAfterFormula = false;
  #table: HtmlTable | undefined;
  /** A preformatted element: its index, its line and its text so far. */
  #lines: { readonly index: number; readonly line: number; text: string } | undefined;

  constructor(sections: SectionBuilder) {
    this.#sections = sections;
  }

  /** The table that takes the text. */
  get table(): HtmlTable | undefined {
    return this.#table;
  }

  get isSkipped(): boolean {
    return this.#skipped > 0;
  }

  get isInParagraph(): boolean {
    return this.#isInParagraph;
  }

  append(text: string, line: number): void {
    if (this.#skipped > 0 || text === '') {
      return;
    }
    if (this.#isAfterFormula && beginsInLetter.test(text)) {
      this.#add(' ', line);
    }
    this.#isAfterFormula = false;
    this.#lastSigns = text.slice(-4);
    this.#add(text, line);
  }

  /** Adds a formula as a word of its own. */
  addFormula(text: string, line: number): void {
    if (text === '') {
      return;
    }
    this.append(endsInLetter.test(this.#lastSigns) ? ` ${text}` : text, line);
    this.#isAfterFormula = true;
  }

  #add(text: string, line: number): void {
    if (this.#table) {
      this.#table.append(text);
    } else if (this.#lines) {
      this.#lines.text += text;
    } else {
      this.#text.append(text, line);
      if (this.#text.length < 2 * maxBatchUnits) {
        return;
      }
      const pieces = this.#text.takePieces(this.#kind, maxBatchUnits);
      for (const piece of pieces) {
        this.#sections.addBlock(piece);
      }
    }
  }

  /** Raised text begins. After a word it is the number of a footnote, and after a letter a power. */
  startRaised(line: number): void {
    if (endsInWord.test(this.#lastSigns)) {
      this.append(' ', line);
    }
  }

  setTitle(title: string, line: number): void {
    if (this.#skipped > 0) {
      return;
    }
    if (this.#table || this.#lines) {
      this.append(title, line);
    } else {
      this.#sections.setTitle(title.replace(/\s+/g, ' ').trim());
    }
  }

  addLineBreak(line: number): void {
    if (this.#table || this.#lines) {
      this.append('\n', line);
    } else if (this.#skipped === 0) {
      this.#text.addSpace();
    }
  }

  addImage(description: string, line: number): void {
    if (this.#lines || this.#table?.isInPart) {
      return;
    }
    this.append(` ${description} `, line);
  }

  /** A paragraph begins, or another block that needs no end. */
  startBlock(isParagraph: boolean): void {
    this.flushBlock();
    this.#isInParagraph = isParagraph;
  }

  /** The element is left later, like those of the other calls that start one. */
  startSkipped(): void {
    this.#skipped++;
  }

  endSkipped(): void {
    this.#skipped--;
  }

  startItem(): void {
    this.#items++;
  }

  startLines(index: number, line: number): void {
    if (!this.#table && this.#skipped === 0) {
      this.#lines ??= { index, line, text: '' };
    }
  }

  startTable(index: number, place: Place): void {
    if (!this.#table && !this.#lines && this.#skipped === 0) {
      this.#table = new HtmlTable(index, place);
    }
  }

  /** Forgets the table and the text in it. */
  dropTable(): void {
    this.#table = undefined;
  }

  leave(name: string, index: number): void {
    if (name === 'li') {
      this.#endItem();
    }
    if (skippedElements.has(name)) {
      this.#skipped--;
    }
    if (this.#table?.index === index) {
      this.#endTable(this.#table);
    } else if (this.#table) {
      this.#table.leave(name);
    } else if (this.#lines?.index === index) {
      this.#endLines(this.#lines);
    } else if (this.#lines || this.#skipped > 0) {
      return;
    } else if (headingName.test(name)) {
      this.#sections.addHeading(Number(name.slice(1)), this.#text.takeBlock('prose'));
    } else if (blockElements.has(name)) {
      this.flushBlock();
    }
  }

  #endItem(): void {
    if (!this.#table && !this.#lines && this.#skipped === 0) {
      this.flush();
    }
    this.#items--;
  }

  #endTable(table: HtmlTable): void {
    this.#table = undefined;
    this.append(table.loose, table.place.line);
    this.flush();
    this.#sections.addBlock(table.finish());
  }

  #endLines({ line, text }: { readonly line: number; readonly text: string }): void {
    this.#lines = undefined;
    // The first line feed is part of the tag.
    const first = /^\n{0,2}/.exec(text)?.[0].length ?? 0;
    this.#sections.addBlock({ text: text.slice(first).trimEnd(), position: line, kind: 'lines' });
  }

  get #kind(): 'prose' | 'item' {
    return this.#items > 0 ? 'item' : 'prose';
  }

  /** A block begins or ends here. */
  flushBlock(): void {
    this.#isInParagraph = false;
    if (!this.#table && !this.#lines && this.#skipped === 0) {
      this.flush();
    }
  }

  flush(): void {
    if (!this.#text.isEmpty) {
      this.#sections.addBlock(this.#text.takeBlock(this.#kind));
    }
  }
}
