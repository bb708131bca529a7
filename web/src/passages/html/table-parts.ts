// Which parts of a table begin and end where, as the HTML standard says.
import type { HtmlScanner } from './html-scanner.ts';
import type { HtmlText } from './html-text.ts';
import type { OpenElements } from './open-elements.ts';

export class TableParts {
  readonly #open: OpenElements;
  readonly #text: HtmlText;
  readonly #scanner: HtmlScanner;
  readonly #isFragment: boolean;

  /** A piece of a page may begin within a table. */
  constructor(open: OpenElements, text: HtmlText, scanner: HtmlScanner, isFragment: boolean) {
    this.#open = open;
    this.#text = text;
    this.#scanner = scanner;
    this.#isFragment = isFragment;
  }

  startTable(): void {
    if (this.#open.frame === 'table') {
      this.#open.cutTo(this.#open.frameIndex);
    }
    const isLayout = this.#scanner.attribute('role') === 'presentation';
    this.#push('table');
    if (!isLayout) {
      this.#text.startTable(this.#open.length - 1, this.#scanner.place);
    }
  }

  /** A part of a table begins. */
  start(name: string): void {
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

  end(name: string): void {
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

  #push(name: string): void {
    this.#text.flushBlock();
    this.#open.push(name);
  }
}
