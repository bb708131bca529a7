// Turns AsciiDoc into sections: headings, paragraphs, lists, tables, code and notes.
import { type Line, LineBlocks } from '../sections/line-blocks.ts';
import type { Section } from '../sections/section.ts';
import { linesIn } from '../text/lines.ts';
import { readableAsciidoc } from './inline.ts';

const heading = /^(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?$/;
const attributeLine = /^:!?[\w-]+!?:(?:\s.*)?$/;
const comment = /^\/\/(?!\/)/;
/** Lines that begin and end a block. The block of the first ones is code. */
const codeFence = /^(-{4,}|\.{4,}|\+{4,}|`{3,})(?:[\w,+-]*)$/;
const commentFence = /^\/{4,}$/;
const textFence = /^(?:={4,}|\*{4,}|_{4,}|--)$/;
const tableFence = /^[|,:!]={3,}$/;
/** Attributes, anchors and the like before a block. */
const blockAttributes = /^\[[^\]]*\]$|^\[\[.*\]\]$/;
const conditional = /^(?:ifdef|ifndef|ifeval|endif|include|toc)::?\S*\[.*\]$/;
const picture = /^(?:image|video|audio)::[^[\s]*\[([^\]]*)\]$/;
const title = /^\.(?![.\s])(.+)$/;
const admonition = /^(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+(.*)$/;
const bullet = /^\s*(?:\*{1,5}|-)\s+(?:\[[ x*]\]\s+)?(.*)$/;
const numbered = /^\s*(?:(\d+\.)|\.{1,5})\s+(.*)$/;
const callout = /^<(?:\d+|\.)>\s+(.*)$/;
const described = /^\s*(\S.*?)(?::{2,4}|;;)(?:\s+(.*))?$/;

export function* asciidocSections(source: string): Generator<readonly Section[]> {
  const lines = [...linesIn(source)].map((text, i) => ({ text: text.trimEnd(), position: i + 1 }));
  yield* new AsciidocReader(lines).sections();
}

class AsciidocReader {
  readonly #lines: readonly Line[];
  readonly #blocks = new LineBlocks(readableAsciidoc);
  /** The number of the item of an ordered list. */
  #number = 0;
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  *sections(): Generator<readonly Section[]> {
    while (this.#at < this.#lines.length) {
      const line = this.#lines[this.#at++] as Line;
      if (!this.#readFenced(line) && !this.#skips(line.text)) {
        this.#readLine(line);
      }
      if (this.#blocks.isFull) {
        yield this.#blocks.take();
      }
    }
    yield this.#blocks.finish();
  }

  /** Blocks between two lines of one sign. */
  #readFenced({ text }: Line): boolean {
    if (codeFence.test(text)) {
      this.#blocks.addCode(this.#takeTo(text));
    } else if (commentFence.test(text)) {
      this.#blocks.endParagraph();
      this.#takeTo(text);
    } else if (tableFence.test(text)) {
      this.#readTable(this.#takeTo(text));
    } else if (textFence.test(text)) {
      // What it holds is text like any other.
      this.#blocks.endParagraph();
    } else {
      return false;
    }
    return true;
  }

  /** The lines before the fence that ends a block. Without one they are those to the end. */
  #takeTo(fence: string): readonly Line[] {
    const end = fence.replace(/^(`{3,}).*$/, '$1');
    const begin = this.#at;
    while (this.#at < this.#lines.length && this.#lines[this.#at]?.text !== end) {
      this.#at++;
    }
    const taken = this.#lines.slice(begin, this.#at);
    this.#at++;
    return taken;
  }

  #skips(text: string): boolean {
    if (text === '' || text === '+' || text === "'''" || text === '<<<') {
      this.#blocks.endParagraph();
      this.#number = text === '' ? this.#number : 0;
      return true;
    }
    const isBlockLine = blockAttributes.test(text) || attributeLine.test(text);
    return comment.test(text) || conditional.test(text) || isBlockLine;
  }

  #readLine(line: Line): void {
    const { text, position } = line;
    const [, signs = '', name] = heading.exec(text) ?? [];
    const shown = picture.exec(text)?.[1] ?? title.exec(text)?.[1];
    if (name !== undefined) {
      this.#number = 0;
      this.#blocks.addHeading(signs.length, { text: name, position });
    } else if (shown !== undefined && !this.#blocks.isInParagraph) {
      this.#blocks.addText({ text: shown.replace(/,\s*\w+=.*$/, ''), position });
      this.#blocks.endParagraph();
    } else if (!this.#readItem(line)) {
      this.#blocks.addText({ text: admonition.exec(text)?.[1] ?? text, position });
    }
  }

  #readItem({ text, position }: Line): boolean {
    const point = bullet.exec(text)?.[1] ?? callout.exec(text)?.[1];
    const [, stated, item] = numbered.exec(text) ?? [];
    if (point !== undefined) {
      this.#blocks.addItem({ text: point, position });
    } else if (item !== undefined) {
      this.#number++;
      this.#blocks.addItem({ text: `${stated ?? `${this.#number}.`} ${item}`, position });
    } else if (!this.#blocks.isInParagraph && described.test(text)) {
      const [, term = '', meaning = ''] = described.exec(text) ?? [];
      this.#blocks.addItem({ text: `${term}: ${meaning}`, position });
    } else {
      return false;
    }
    return true;
  }

  /** A cell begins with a bar. The first line has as many as there are columns, and names them if a blank line follows. */
  #readTable(lines: readonly Line[]): void {
    const cells: Line[] = [];
    let columns = 0;
    for (const { text, position } of lines) {
      const [before = '', ...begun] = text.split(/(?<!\\)\|/);
      const last = cells.at(-1);
      const rest = begun.length > 0 ? withoutSpecifier(before) : before;
      if (last && rest.trim() !== '') {
        cells[cells.length - 1] = { ...last, text: `${last.text} ${rest.trim()}` };
      }
      begun.forEach((cell, i) => {
        const isLast = i === begun.length - 1;
        cells.push({ text: (isLast ? cell : withoutSpecifier(cell)).trim(), position });
      });
      columns ||= begun.length;
    }
    const rows: { cells: string[]; position: number }[] = [];
    for (let at = 0; at < cells.length; at += columns) {
      const row = cells.slice(at, at + columns);
      rows.push({ cells: row.map(({ text }) => text), position: row[0]?.position ?? 1 });
    }
    const first = lines.findIndex(({ text }) => text !== '');
    const hasHeader = rows.length > 1 && columns > 1 && lines[first + 1]?.text === '';
    const header = hasHeader ? (rows.shift()?.cells ?? []) : [];
    this.#blocks.addTable(header, rows);
  }
}

/** Before the bar of the next cell may stand how it spans and looks: `2+^.>s|`. */
function withoutSpecifier(text: string): string {
  return text.replace(/(?:^|\s)(?:\d*(?:\.\d+)?[+*])?[<^>]?(?:\.[<^>])?[adehlmsv]?$/, '');
}
