// Turns GitHub-flavoured Markdown into sections: front matter, headings, paragraphs, lists, tables and code.
import type { Token, Tokens } from 'marked';
import { addHtml, decodeEntities } from '../html/html.ts';
import type { Block, Section } from '../sections/section.ts';
import { SectionBuilder } from '../sections/section-builder.ts';
import { linesBlock, rowText } from '../sections/table-lines.ts';
import { TextBuilder } from '../sections/text-builder.ts';
import { lexMarkdown } from './bounded-lexer.ts';
import { frontMatterOf } from './front-matter.ts';

export function* markdownSections(text: string): Generator<readonly Section[]> {
  const sections = new SectionBuilder();
  const front = frontMatterOf(text);
  if (front) {
    sections.setTitle(front.title);
    sections.addBlock({ text: front.description, position: 1, kind: 'prose' });
  }
  const body = front ? text.slice(front.length) : text;
  const line = 1 + lineBreaksIn(text.slice(0, front?.length ?? 0));
  new MarkdownReader(sections).read(lexMarkdown(body), line, 'prose');
  yield sections.finish();
}

class MarkdownReader {
  readonly #sections: SectionBuilder;
  /** The marker of a numbered list item, such as `3. `. It is put before the next block. */
  #marker = '';

  constructor(sections: SectionBuilder) {
    this.#sections = sections;
  }

  read(tokens: readonly Token[], firstLine: number, kind: 'prose' | 'item'): void {
    let line = firstLine;
    for (const token of tokens) {
      this.#readOne(token, line, kind);
      line += lineBreaksIn(token.raw);
    }
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
        this.read(token.tokens ?? [], line, kind);
        break;
      case 'code':
        this.#sections.addBlock(codeBlock(token as Tokens.Code, line));
        break;
      case 'table':
        this.#sections.addBlock(tableBlock(token as Tokens.Table, line));
        break;
      case 'html':
        addHtml(token.raw, line, this.#sections);
        break;
      case 'space':
      case 'def':
      case 'hr':
        break;
      default:
        this.#sections.addBlock(this.#prose(token, line, kind));
    }
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
    text.append(plainText([token]), line);
    return text.takeBlock(kind);
  }
}

/** The text of inline tokens without markup: the text of a link, the alternative text of an image. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'br') return '\n';
      if (token.type === 'checkbox') return '';
      if (token.type === 'html') return /^<br\b/i.test(token.raw) ? '\n' : '';
      if ('tokens' in token && token.tokens && token.type !== 'image')
        return plainText(token.tokens);
      const text = 'text' in token ? String(token.text) : token.raw;
      return token.type !== 'codespan' && text.includes('&') ? decodeEntities(text) : text;
    })
    .join('');
}

function codeBlock({ text, raw }: Tokens.Code, line: number): Block {
  const isFenced = /^\s*(?:`{3}|~{3})/.test(raw);
  return { text, position: line + (isFenced ? 1 : 0), kind: 'lines' };
}

function tableBlock({ header, rows }: Tokens.Table, line: number): Block {
  const names = header.map(({ tokens }) => plainText(tokens).trim());
  if (rows.length === 0) return linesBlock([{ text: rowText([], names), position: line }]);
  return linesBlock(
    rows.map((row, i) => ({
      text: rowText(
        names,
        row.map(({ tokens }) => plainText(tokens).trim()),
      ),
      // The first row lies below the header and a line of dashes.
      position: line + 2 + i,
    })),
  );
}

function lineBreaksIn(text: string): number {
  return text.match(/\n/g)?.length ?? 0;
}
