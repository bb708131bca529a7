// Turns reStructuredText into sections: headings, paragraphs, lists, tables, code, and the text of directives.
import { type Line, LineBlocks } from '../sections/line-blocks.ts';
import type { Section } from '../sections/section.ts';
import { linesIn } from '../text/lines.ts';
import { readableRst } from './inline.ts';
import { tableAt } from './tables.ts';

const adornment = /^([!-/:-@[-`{-~])\1{2,}\s*$/;
const directive = /^\s*\.\.\s+(?:\|[^|]+\|\s+)?([\w:.+-]+)::(?:\s+(.*))?$/;
const note = /^\s*\.\.\s+\[[^\]]+\]\s+(.*)$/;
const explicit = /^\s*\.\.(?:\s|$)/;
const target = /^\s*__\s|^\s*\.\.\s+_/;
const option = /^\s+:[\w-]+:/;
const bullet = /^\s*[-*+•‣⁃]\s+(.*)$/;
const numbered = /^\s*(\(?(?:\d+|[a-zA-Z]|#|[ivxlcdm]+)[.)])\s+(.*)$/;
const field = /^\s*:([^:\n]+):(?:\s+(.*))?$/;
const lineOfVerse = /^\s*\|(?:\s(.*))?$/;

const setOf = (names: string) => new Set(names.split(' '));
/** The content of these is code, and their argument its language. */
const codeDirectives = setOf(
  'code code-block sourcecode parsed-literal math prompt testcode testoutput doctest productionlist ipython graphviz mermaid csv-table',
);
/** These have no text. */
const emptyDirectives = setOf(
  'raw include literalinclude toctree contents index meta highlight default-role role currentmodule module automodule autoclass autofunction tabularcolumns sectnum unicode image',
);
/** The argument of these is no text, but their content is. */
const quietDirectives = setOf('figure list-table only ifconfig container class tab-set rst-class');

export function* rstSections(source: string): Generator<readonly Section[]> {
  const reader = new RstReader(
    [...linesIn(source)].map((text, i) => ({ text: text.trimEnd(), position: i + 1 })),
  );
  yield* reader.sections();
}

class RstReader {
  readonly #lines: readonly Line[];
  readonly #blocks = new LineBlocks(readableRst);
  /** The signs that underline headings, from the highest level on. */
  readonly #levels: string[] = [];
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  *sections(): Generator<readonly Section[]> {
    while (this.#at < this.#lines.length) {
      this.#readBlock();
      if (this.#blocks.isFull) {
        yield this.#blocks.take();
      }
    }
    yield this.#blocks.finish();
  }

  #textAt(at: number): string {
    return this.#lines[at]?.text ?? '';
  }

  #readBlock(): void {
    const line = this.#lines[this.#at] as Line;
    if (line.text === '') {
      this.#blocks.endParagraph();
      this.#at++;
    } else if (!this.#readHeading(line) && !this.#readTable() && !this.#readExplicit(line)) {
      this.#readText(line);
    }
  }

  /** A heading is underlined, and may have a line above it. */
  #readHeading(line: Line): boolean {
    const { text } = line;
    if (adornment.test(text)) {
      const title = this.#textAt(this.#at + 1);
      const under = this.#textAt(this.#at + 2);
      if (title.trim() !== '' && under[0] === text[0] && adornment.test(under)) {
        this.#addHeading(
          `${text[0]}${text[0]}`,
          { text: title.trim(), position: line.position + 1 },
          3,
        );
        return true;
      }
      if (!this.#blocks.isInParagraph) {
        // A line across the page.
        this.#at++;
        return true;
      }
      return false;
    }
    const under = this.#textAt(this.#at + 1);
    const isUnder = adornment.test(under) && !/^\s/.test(text) && !explicit.test(text);
    if (!isUnder || this.#blocks.isInParagraph || under.length < Math.min(4, text.length)) {
      return false;
    }
    this.#addHeading(under[0] ?? '', line, 2);
    return true;
  }

  #addHeading(style: string, line: Line, length: number): void {
    const known = this.#levels.indexOf(style);
    const level = known < 0 ? this.#levels.push(style) : known + 1;
    this.#blocks.addHeading(Math.min(level, 6), line);
    this.#at += length;
  }

  #readTable(): boolean {
    const table = this.#blocks.isInParagraph ? undefined : tableAt(this.#lines, this.#at);
    if (!table) {
      return false;
    }
    this.#blocks.addTable(table.header, table.rows);
    this.#at += table.length;
    return true;
  }

  /** Directives, footnotes, targets and comments. */
  #readExplicit(line: Line): boolean {
    const { text, position } = line;
    if (target.test(text)) {
      this.#blocks.endParagraph();
      this.#at++;
      return true;
    }
    if (!explicit.test(text)) {
      return false;
    }
    this.#blocks.endParagraph();
    const [, name, argument = ''] = directive.exec(text) ?? [];
    const noteText = note.exec(text)?.[1];
    this.#at++;
    if (name !== undefined) {
      this.#readDirective(name, { text: argument, position }, indentOf(text));
    } else if (noteText !== undefined) {
      this.#blocks.addText({ text: noteText, position });
    } else {
      this.#takeIndented(indentOf(text));
    }
    return true;
  }

  #readDirective(name: string, argument: Line, indent: number): void {
    const alt = this.#skipOptions();
    const isCode = codeDirectives.has(name);
    if (isCode || emptyDirectives.has(name)) {
      const content = this.#takeIndented(indent);
      if (isCode) {
        this.#blocks.addCode(name === 'math' ? [argument, ...content] : content);
      }
    }
    if (alt !== '') {
      this.#blocks.addText({ text: alt, position: argument.position });
      this.#blocks.endParagraph();
    }
    const isQuiet = isCode || emptyDirectives.has(name) || quietDirectives.has(name);
    if (!isQuiet && argument.text !== '') {
      this.#blocks.addText(argument);
      // What follows without a blank line goes on with the argument.
      if (this.#textAt(this.#at) === '') {
        this.#blocks.endParagraph();
      }
    }
  }

  /** Returns the description of a picture. */
  #skipOptions(): string {
    let alt = '';
    while (option.test(this.#textAt(this.#at))) {
      alt ||= /^\s+:alt:\s*(.*)$/.exec(this.#textAt(this.#at))?.[1] ?? '';
      this.#at++;
    }
    return alt;
  }

  /** The lines that are further in than `indent`. */
  #takeIndented(indent: number): Line[] {
    const begin = this.#at;
    let end = begin;
    for (; this.#at < this.#lines.length; this.#at++) {
      const text = this.#textAt(this.#at);
      if (text !== '' && indentOf(text) <= indent) {
        break;
      }
      end = text === '' ? end : this.#at + 1;
    }
    this.#at = end;
    return this.#lines.slice(begin, end);
  }

  #readText(given: Line): void {
    const { position } = given;
    const isLiteral = given.text.endsWith('::');
    // Two colons stand for one, and for none if they are alone.
    const text = isLiteral
      ? given.text.replace(/^(\s*)::$|::$/, (_, alone) => (alone === undefined ? ':' : ''))
      : given.text;
    this.#at++;
    const marker = numbered.exec(text);
    const item = bullet.exec(text)?.[1] ?? (marker ? `${marker[1]} ${marker[2]}` : undefined);
    if (item !== undefined && !/^\s*[A-Za-z]\.\s/.test(text)) {
      this.#blocks.addItem({ text: item, position });
    } else if (!this.#blocks.isInParagraph && field.test(text)) {
      const [, name = '', value = ''] = field.exec(text) ?? [];
      this.#blocks.addItem({ text: value === '' ? '' : `${name}: ${value}`, position });
    } else if (!this.#blocks.isInParagraph && /^\s*>>> /.test(text)) {
      this.#readDoctest(given);
      return;
    } else if (lineOfVerse.test(text)) {
      this.#blocks.addItem({ text: lineOfVerse.exec(text)?.[1] ?? '', position });
    } else if (text !== '') {
      this.#blocks.addText({ text, position });
    }
    if (isLiteral) {
      this.#readLiteral(given);
    }
  }

  /** Code follows a paragraph that ends in two colons. */
  #readLiteral(line: Line): void {
    const isBlank = this.#textAt(this.#at) === '';
    if (!isBlank) {
      return;
    }
    this.#blocks.addCode(this.#takeIndented(indentOf(line.text)));
  }

  #readDoctest(first: Line): void {
    const lines = [first];
    for (; this.#textAt(this.#at) !== ''; this.#at++) {
      lines.push(this.#lines[this.#at] as Line);
    }
    this.#blocks.addCode(lines);
  }
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
