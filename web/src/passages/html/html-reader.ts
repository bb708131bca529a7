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
import { Formulas } from './math-text.ts';
import { OpenElements } from './open-elements.ts';
import { Ruby } from './ruby.ts';
import { TableParts } from './table-parts.ts';
import { isUnread, UnreadElement } from './unread-elements.ts';

export class HtmlReader {
  readonly #sections: SectionBuilder;
  readonly #text: HtmlText;
  readonly #scanner: HtmlScanner;
  readonly #parts: TableParts;
  readonly #open = new OpenElements((name, index) => this.#leave(name, index));
  /** The next number of each ordered list that is open. */
  readonly #numbers: number[] = [];
  readonly #ruby = new Ruby();
  readonly #formulas = new Formulas();
  readonly #unread = new UnreadElement(this.#open);

  /** A piece of a page may begin within a table. `line` is that of the text's begin. */
  constructor(text: string, sections: SectionBuilder, line: number, isFragment: boolean) {
    this.#sections = sections;
    this.#text = new HtmlText(sections);
    this.#scanner = new HtmlScanner(
      text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text,
      line,
    );
    this.#parts = new TableParts(this.#open, this.#text, this.#scanner, isFragment);
  }

  /** Yields when sections can be taken from the builder. */
  *read(): Generator<undefined> {
    const scanner = this.#scanner;
    for (let token = scanner.next(); token !== 'eof'; token = scanner.next()) {
      if (token === 'text') {
        this.#append(scanner.value, scanner.line);
      } else if (token === 'start') {
        this.#start(scanner.name);
      } else {
        this.#end(scanner.name);
      }
      if (this.#sections.isFull) {
        yield undefined;
      }
    }
    this.#endRuby();
    this.#open.cutTo(0);
    this.#text.flush();
  }

  #append(text: string, line: number): void {
    if (this.#formulas.open) {
      this.#formulas.open.append(text);
    } else if (this.#ruby.isActive && !this.#text.isSkipped) {
      this.#text.append(this.#ruby.read(text), line);
    } else {
      this.#text.append(text, line);
    }
  }

  /** A block begins or ends here, and with it the ruby in it. */
  #endRuby(): void {
    if (this.#ruby.isActive && !this.#text.isSkipped) {
      this.#text.append(this.#ruby.finish(), this.#scanner.line);
    }
  }

  #start(name: string): void {
    if (this.#unread.isOpen) {
      this.#startUnread(name);
      return;
    }
    if (this.#open.top === 'ol') {
      this.#numbers.push((this.#numbers.pop() ?? 0) + 1);
    }
    if (this.#isForeign() && !this.#breaksOut(name)) {
      this.#startForeign(name);
      return;
    }
    if (this.#hasUnread(name)) {
      return;
    }
    const { table } = this.#text;
    if (table?.isLayoutWith(name)) {
      this.#readAgain(table);
      return;
    }
    if (blockElements.has(name) || tableParts.has(name)) {
      this.#endRuby();
    }
    if (name === 'sup') {
      this.#text.startRaised(this.#scanner.line);
    }
    if (name === 'title') {
      this.#text.setTitle(this.#scanner.skipRawText(name) ?? '', this.#scanner.line);
    } else if (name === 'br') {
      this.#text.addLineBreak(this.#scanner.line);
    } else if (name === 'img' || name === 'image') {
      this.#addImage();
    } else if (tableParts.has(name)) {
      this.#parts.start(name);
    } else if (skippedElements.has(name) && !this.#isQuestion(name)) {
      this.#startSkipped(name);
    } else if (skippedTexts.has(name)) {
      this.#scanner.skipRawText(name);
    } else if (blockElements.has(name)) {
      this.#startBlock(name);
    } else if (name === 'input' || name === 'keygen') {
      this.#close('select');
    } else if (name === 'plaintext') {
      this.#text.append(this.#scanner.skipRawText(name) ?? '', this.#scanner.line);
    } else {
      this.#ruby.start(name);
    }
  }

  #startUnread(name: string): void {
    if (skippedTexts.has(name)) {
      this.#scanner.skipRawText(name);
    } else if (!this.#scanner.isSelfClosing) {
      this.#unread.start(name);
    }
  }

  /** Whether the element is not read. */
  #hasUnread(name: string): boolean {
    if (this.#text.isSkipped) {
      return false;
    }
    const classes = this.#scanner.attribute('class');
    const isUnreadHere = this.#formulas.isShownAgain(classes) || isUnread(name, this.#scanner);
    if (!isUnreadHere || this.#formulas.isOnlyShown(classes)) {
      return false;
    }
    this.#unread.open(name);
    this.#text.startSkipped();
    return true;
  }

  /** A button in a heading or a summary shows and hides what follows. Its text is the heading. */
  #isQuestion(name: string): boolean {
    const isHeading = (each: string) => headingName.test(each) || each === 'summary';
    return name === 'button' && isHeading(this.#open.top);
  }

  #addImage(): void {
    if (this.#scanner.attribute('aria-hidden') !== 'true') {
      this.#text.addImage(this.#scanner.attribute('alt'), this.#scanner.line);
    }
  }

  #end(name: string): void {
    if (this.#unread.isOpen) {
      this.#unread.end(name);
      return;
    }
    if (headingName.test(name)) {
      // All passages below a heading have it, so it goes without readings.
      this.#ruby.finish();
    } else if (blockElements.has(name) || tableParts.has(name)) {
      this.#endRuby();
    }
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
      this.#parts.end(name);
    } else if (name === 'template') {
      this.#open.cutTo(lengthWithout(this.#open.find(name), this.#open));
    } else if (blockElements.has(name) || skippedElements.has(name) || foreignHolders.has(name)) {
      this.#close(name);
    } else {
      this.#formulas.open?.leave(name);
      this.#ruby.end(name);
    }
  }

  #startBlock(name: string): void {
    if (name === 'textarea') {
      this.#close('select');
    }
    if (name === 'table') {
      this.#parts.startTable();
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
        this.#numbers.push(Number(this.#scanner.attribute('start') || 1) - 1);
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
    if (name === 'math' && !this.#text.isSkipped) {
      this.#formulas.start(this.#scanner.attribute('alttext'));
    }
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
    this.#formulas.open?.enter(name, this.#scanner.attribute('encoding'));
    if (name === 'svg' || name === 'math') {
      this.#startSkipped(name);
    } else if (foreignHolders.has(name)) {
      this.#open.push(name);
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
    const place = this.#unread.left(index);
    if (place === 'self') {
      this.#text.endSkipped();
    }
    if (place !== 'other') {
      return;
    }
    if (name === 'ol') {
      this.#numbers.pop();
    }
    this.#text.leave(name, index);
    this.#formulas.open?.leave(name);
    if (name === 'math' && this.#formulas.open && !this.#text.isSkipped) {
      this.#text.addFormula(this.#formulas.end(), this.#scanner.line);
    }
  }
}

function lengthWithout(index: number, open: OpenElements): number {
  return index < 0 ? open.length : index;
}
