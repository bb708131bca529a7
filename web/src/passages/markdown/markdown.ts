// Turns GitHub-flavoured Markdown into sections: front matter, headings, paragraphs, lists, tables and code.
import type { Token, Tokens } from 'marked';
import { addHtml } from '../html/html.ts';
import type { Block, Section } from '../sections/section.ts';
import { SectionBuilder } from '../sections/section-builder.ts';
import { linesBlock, rowText } from '../sections/table-lines.ts';
import { TextBuilder } from '../sections/text-builder.ts';
import type { TablePart } from './bounded-tokenizer.ts';
import { withoutAlert } from './dialects.ts';
import { directiveOf } from './directive.ts';
import { frontMatterOf } from './front-matter.ts';
import { tooDeepAt } from './nesting.ts';
import { lexMarkdown } from './part-lexer.ts';
import { plainText } from './plain-text.ts';

export function* markdownSections(text: string): Generator<readonly Section[]> {
  const sections = new SectionBuilder();
  const front = frontMatterOf(text);
  if (front) {
    sections.setTitle(front.title, { isText: true });
    sections.addBlock({ text: front.description, position: 1, kind: 'prose' });
  }
  const body = front ? text.slice(front.length) : text;
  const firstLine = 1 + lineBreaksIn(text.slice(0, front?.length ?? 0));
  for (const _ of new MarkdownReader(sections).steps(body, firstLine)) {
    if (sections.isFull) {
      yield sections.take();
    }
  }
  yield sections.finish();
}

/** Adds a short text of Markdown. */
export function addMarkdown(text: string, sections: SectionBuilder): void {
  if (tooDeepAt(text) >= 0) {
    sections.addBlock({ text, position: 1, kind: 'lines' });
    return;
  }
  for (const _ of new MarkdownReader(sections).steps(text, 1)) {
    // The sections are taken by the caller.
  }
}

/** Directives in directives are read so deep. */
const maxDirectives = 8;

class MarkdownReader {
  readonly #sections: SectionBuilder;
  /** The marker of a numbered list item, such as `3. `. It is put before the next block. */
  #marker = '';
  /** Whether a quotation begins. */
  #isQuote = false;
  #directives = 0;

  constructor(sections: SectionBuilder) {
    this.#sections = sections;
  }

  /** Adds a document that begins at `line`, and yields when sections can be taken. */
  *steps(text: string, line: number): Generator<undefined> {
    let next = line;
    for (const tokens of lexMarkdown(text)) {
      next = this.read(tokens, next, 'prose');
      yield undefined;
    }
  }

  /** Returns the line after the tokens. */
  read(tokens: readonly Token[], firstLine: number, kind: 'prose' | 'item'): number {
    let line = firstLine;
    for (const token of tokens) {
      this.#readOne(token, line, kind);
      line += lineBreaksIn(token.raw);
    }
    return line;
  }

  #readOne(token: Token, line: number, kind: 'prose' | 'item'): void {
    switch (token.type) {
      case 'heading':
        this.#sections.addHeading((token as Tokens.Heading).depth, this.#prose(token, line, kind));
        break;
      case 'list':
        this.#readList(token as Tokens.List, line);
        break;
      case 'blockquote':
        this.#isQuote = true;
        this.read(token.tokens ?? [], line, kind);
        break;
      case 'code':
        this.#readCode(token as Tokens.Code, line);
        break;
      case 'table':
        this.#sections.addBlock(tableBlock(token as TablePart, line));
        break;
      case 'html':
        addHtml(token.raw, line, this.#sections);
        break;
      case 'checkbox':
      case 'space':
      case 'def':
      case 'hr':
        break;
      default:
        this.#sections.addBlock(this.#prose(token, line, kind));
    }
  }

  /** MyST writes notes as code in the language `{note}`. */
  #readCode(code: Tokens.Code, line: number): void {
    const directive = this.#directives < maxDirectives ? directiveOf(code) : undefined;
    if (!directive) {
      this.#sections.addBlock(codeBlock(code, line));
      return;
    }
    this.#directives++;
    for (const _ of this.steps(directive, line)) {
      // All of it is read.
    }
    this.#directives--;
  }

  #readList({ items, ordered, start }: Tokens.List, firstLine: number): void {
    let line = firstLine;
    items.forEach((item, i) => {
      this.#marker = ordered ? `${Number(start || 1) + i}. ` : '';
      this.read(item.tokens, line, 'item');
      line += lineBreaksIn(item.raw);
    });
    this.#marker = '';
  }

  #prose(token: Token, line: number, kind: 'prose' | 'item'): Block {
    const text = new TextBuilder();
    text.append(this.#marker, line);
    this.#marker = '';
    const plain = plainText([token]);
    text.append(this.#isQuote ? withoutAlert(plain) : plain, line);
    this.#isQuote = false;
    return text.takeBlock(kind);
  }
}

function codeBlock({ text, raw }: Tokens.Code, line: number): Block {
  const isFenced = /^\s*(?:`{3}|~{3})/.test(raw);
  return { text, position: line + (isFenced ? 1 : 0), kind: 'lines' };
}

function tableBlock({ header, rows, goesOn }: TablePart, line: number): Block {
  const names = header.map(({ tokens }) => plainText(tokens).trim());
  if (rows.length === 0 && !goesOn) {
    return linesBlock([{ text: rowText([], names), position: line }]);
  }
  // The first row lies below the header and a line of dashes.
  const firstLine = goesOn ? line : line + 2;
  return linesBlock(
    rows.map((row, i) => ({
      text: rowText(
        names,
        row.map(({ tokens }) => plainText(tokens).trim()),
      ),
      position: firstLine + i,
    })),
  );
}

function lineBreaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}
