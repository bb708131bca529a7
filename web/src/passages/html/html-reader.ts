// Follows the tags of HTML, and gives its text to sections. It keeps the elements that are open, as the HTML standard says
// which end where ("tree construction"), but no tree: formatting elements do not change the text.

import type { SectionBuilder } from '../sections/section-builder.ts';
import {
  blockElements,
  breakouts,
  foreignHolders,
  headingName,
  preformattedElements,
  skippedElements,
  skippedTexts,
  tableParts,
  unkeptBlocks,
} from './elements.ts';
import { HtmlScanner } from './html-scanner.ts';
import type { HtmlTable } from './html-table.ts';
import { HtmlText } from './html-text.ts';
import { OpenElements } from './open-elements.ts';

export class HtmlReader {
  readonly #sections: SectionBuilder;
  readonly #text: HtmlText;
  readonly #scanner: HtmlScanner;
  readonly #isFragment: boolean;
  readonly #open = new OpenElements((name, index) => this.#leave(name, index));
  /** The next number of each ordered list that is open. */
  readonly #numbers: number[] = [];

  /** A piece of a page may begin within a table. `line` is that of the text's begin. */
  constructor(text: string, sections: SectionBuilder, line: number, isFragment: boolean) {
    this.#sections = sections;
    this.#text = new HtmlText(sections);
    this.#isFragment = isFragment;
    this.#scanner = new HtmlScanner(
      text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text,
      line,
    );
  }

  /** Yields when sections can be taken from the builder. */
  *read(): Generator<undefined> {
    const scanner = this.#scanner;
    for (let token = scanner.next(); token !== 'eof'; token = scanner.next()) {
      if (token === 'text') {
        this.#text.append(scanner.value, scanner.line);
      } else if (token === 'start') {
        this.#start(scanner.name);
      } else {
        this.#end(scanner.name);
      }
      if (this.#sections.isFull) {
        yield undefined;
      }
    }
    this.#open.cutTo(0);
    this.#text.flush();
  }

  #start(name: string): void {
    if (this.#open.top === 'ol') {
      this.#numbers.push((this.#numbers.pop() ?? 0) + 1);
    }
    if (this.#isForeign() && !this.#breaksOut(name)) {
      this.#startForeign(name);
      return;
    }
    const { table } = this.#text;
    if (table?.isLayoutWith(name)) {
      this.#readAgain(table);
      return;
    }
    if (name === 'title') {
      this.#text.setTitle(this.#scanner.skipRawText(name) ?? '', this.#scanner.line);
    } else if (name === 'br') {
      this.#text.addLineBreak(this.#scanner.line);
    } else if (name === 'img' || name === 'image') {
      this.#text.addImage(this.#scanner.value, this.#scanner.line);
    } else if (tableParts.has(name)) {
      this.#startTablePart(name);
    } else if (skippedElements.has(name)) {
      this.#startSkipped(name);
    } else if (skippedTexts.has(name)) {
      this.#scanner.skipRawText(name);
    } else if (blockElements.has(name)) {
      this.#startBlock(name);
    } else if (name === 'input' || name === 'keygen') {
      this.#close('select');
    } else if (name === 'plaintext') {
      this.#text.append(this.#scanner.skipRawText(name) ?? '', this.#scanner.line);
    }
  }

  #end(name: string): void {
    if (name === 'br') {
      this.#text.addLineBreak(this.#scanner.line);
    } else if (unkeptBlocks.has(name)) {
      this.#text.flushBlock();
    } else if (headingName.test(name)) {
      this.#endHeading();
    } else if (name === 'li') {
      const lists = Math.max(this.#open.findInScope('ol'), this.#open.findInScope('ul'));
      if (this.#open.findInScope('li') > lists) {
        this.#close('li');
      }
    } else if (name === 'table' || tableParts.has(name)) {
      this.#endTablePart(name);
    } else if (name === 'template') {
      this.#open.cutTo(lengthWithout(this.#open.find(name), this.#open));
    } else if (blockElements.has(name) || skippedElements.has(name) || foreignHolders.has(name)) {
      this.#close(name);
    }
  }

  #startBlock(name: string): void {
    if (name === 'textarea') {
      this.#close('select');
    }
    if (name === 'table') {
      this.#startTable();
    } else if (name === 'li' || name === 'dd' || name === 'dt') {
      this.#startItem(name);
    } else if (unkeptBlocks.has(name)) {
      this.#text.startBlock(name === 'p');
    } else {
      if (headingName.test(name) && headingName.test(this.#open.top)) {
        this.#close(this.#open.top);
      }
      this.#push(name);
      if (preformattedElements.has(name)) {
        this.#startLines(name);
      } else if (name === 'ol') {
        this.#numbers.push(Number(this.#scanner.value || 1) - 1);
      }
    }
  }

  #push(name: string): void {
    this.#text.flushBlock();
    this.#open.push(name);
  }

  #startItem(name: string): void {
    const { name: barrier, index } = this.#open.barrier;
    const isOpen = name === 'li' ? barrier === 'li' : barrier === 'dd' || barrier === 'dt';
    const parent = isOpen ? index : this.#open.length;
    this.#open.cutTo(parent);
    // The list above counted this item, or the one that ends here did.
    if (isOpen && this.#open.top === 'ol') {
      this.#numbers.push((this.#numbers.pop() ?? 0) + 1);
    }
    const isNumbered = name === 'li' && this.#open.top === 'ol';
    this.#push(name);
    if (name !== 'li') {
      return;
    }
    this.#text.startItem();
    if (isNumbered) {
      this.#text.append(`${this.#numbers.at(-1) ?? 1}. `, this.#scanner.line);
    }
  }

  #startLines(name: string): void {
    const { line } = this.#scanner;
    const index = this.#open.length - 1;
    const raw = this.#scanner.skipRawText(name);
    this.#text.startLines(index, line);
    if (raw === undefined) {
      return;
    }
    this.#text.append(raw, line);
    this.#open.cutTo(index);
  }

  #startSkipped(name: string): void {
    if (name === 'nav' && this.#text.isInParagraph) {
      this.#text.flushBlock();
    }
    if (name === 'button') {
      this.#close('button');
    }
    if (name === 'select' && this.#open.findInScope('select') >= 0) {
      this.#close('select');
      return;
    }
    if ((name === 'svg' || name === 'math') && this.#scanner.isSelfClosing) {
      return;
    }
    this.#open.push(name);
    this.#text.startSkipped();
  }

  #isForeign(): boolean {
    if (!this.#text.isSkipped) {
      return false;
    }
    const { frameIndex } = this.#open;
    return Math.max(this.#open.find('svg'), this.#open.find('math')) > frameIndex;
  }

  /** An element of HTML closes the `svg` that it is in. */
  #breaksOut(name: string): boolean {
    if (!breakouts.has(name)) {
      return false;
    }
    while (this.#isForeign()) {
      this.#open.cutTo(Math.max(this.#open.find('svg'), this.#open.find('math')));
    }
    return true;
  }

  #startForeign(name: string): void {
    if (this.#scanner.isSelfClosing) {
      return;
    }
    if (name === 'svg' || name === 'math') {
      this.#startSkipped(name);
    } else if (foreignHolders.has(name)) {
      this.#open.push(name);
    }
  }

  #startTable(): void {
    if (this.#open.frame === 'table') {
      this.#open.cutTo(this.#open.frameIndex);
    }
    const isLayout = this.#scanner.value === 'presentation';
    this.#push('table');
    if (!isLayout) {
      this.#text.startTable(this.#open.length - 1, this.#scanner.place);
    }
  }

  #startTablePart(name: string): void {
    const { frame } = this.#open;
    const isCell = frame === 'td' || frame === 'th' || frame === 'caption';
    if (isCell) {
      this.#open.cutTo(this.#open.frameIndex);
    }
    if (this.#open.frame !== 'table') {
      if (this.#isFragment) {
        this.#text.flushBlock();
      }
      return;
    }
    const table = this.#open.frameIndex;
    const body = Math.max(
      ...['tbody', 'thead', 'tfoot'].map((each) => this.#open.findInScope(each)),
    );
    const row = this.#open.findInScope('tr');
    if (name === 'td' || name === 'th') {
      if (row >= 0) {
        this.#open.cutTo(row + 1);
      } else {
        this.#open.cutTo(Math.max(table, body) + 1);
        this.#push('tr');
        this.#text.table?.enter('tr', this.#scanner.line);
      }
    } else {
      this.#open.cutTo((name === 'tr' ? Math.max(table, body) : table) + 1);
    }
    if (name === 'col' || name === 'colgroup') {
      return;
    }
    this.#push(name);
    this.#text.table?.enter(name, this.#scanner.line);
  }

  #endTablePart(name: string): void {
    const { frame, frameIndex, outerFrameIndex } = this.#open;
    if (frame === '' && this.#isFragment) {
      this.#text.flushBlock();
    }
    const isCell = frame === 'td' || frame === 'th' || frame === 'caption';
    if (frame === name) {
      this.#open.cutTo(frameIndex);
    } else if (isCell && name === 'table') {
      this.#open.cutTo(outerFrameIndex);
    } else if (/^t(?:r|body|head|foot)$/.test(name) && (isCell || frame === 'table')) {
      const index = this.#open.find(name);
      if (index > (isCell ? outerFrameIndex : frameIndex)) {
        this.#open.cutTo(index);
      }
    }
  }

  #endHeading(): void {
    const open = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => this.#open.findInScope(name));
    const index = Math.max(...open);
    if (index >= 0) {
      this.#open.cutTo(index);
    }
  }

  /** Closes an element if it is open in this scope. */
  #close(name: string): void {
    const index = this.#open.findInScope(name);
    if (index >= 0) {
      this.#open.cutTo(index);
    }
  }

  /** The table lays out a page, so that its cells are blocks. */
  #readAgain(table: HtmlTable): void {
    this.#open.cutTo(table.index + 1);
    this.#text.dropTable();
    this.#scanner.goTo(table.place);
  }

  #leave(name: string, index: number): void {
    if (name === 'ol') {
      this.#numbers.pop();
    }
    this.#text.leave(name, index);
  }
}

function lengthWithout(index: number, open: OpenElements): number {
  return index < 0 ? open.length : index;
}
