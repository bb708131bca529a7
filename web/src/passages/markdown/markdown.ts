// Markdown (GitHub's) to sections: headings, paragraphs, lists, tables, code, and what front matter says.
import { Marked, type Token, type Tokens } from 'marked';
import { addHtml, decodeEntities } from '../html/html.ts';
import { Outline, RunningText, type Section } from '../sections/blocks.ts';
import { linesBlock, lineWith } from '../sections/table-lines.ts';

const kMarked = new Marked({ gfm: true });

export function markdownSections(text: string): Section[] {
  const outline = new Outline();
  const front = frontMatter(text);
  if (front) {
    outline.title(front.title);
    outline.add({ text: front.description, position: 1, kind: 'prose' });
  }
  const body = front ? text.slice(front.length) : text;
  const line = 1 + breaksIn(text.slice(0, front?.length ?? 0));
  new Reader(outline).read(kMarked.lexer(body), line, 'prose');
  return outline.end();
}

class Reader {
  readonly #outline: Outline;
  /** Put before the next block: the number of an item. */
  #number = '';

  constructor(outline: Outline) {
    this.#outline = outline;
  }

  read(tokens: readonly Token[], firstLine: number, kind: 'prose' | 'item'): void {
    let line = firstLine;
    for (const token of tokens) {
      this.#readOne(token, line, kind);
      line += breaksIn(token.raw);
    }
  }

  #readOne(token: Token, line: number, kind: 'prose' | 'item'): void {
    switch (token.type) {
      case 'heading':
        this.#outline.heading((token as Tokens.Heading).depth, this.#prose(token, line, kind));
        break;
      case 'list':
        this.#readList(token as Tokens.List, line);
        break;
      case 'blockquote':
        this.read(token.tokens ?? [], line, kind);
        break;
      case 'code':
        this.#outline.add(codeBlock(token as Tokens.Code, line));
        break;
      case 'table':
        this.#outline.add(tableBlock(token as Tokens.Table, line));
        break;
      case 'html':
        addHtml(token.raw, line, this.#outline);
        break;
      case 'space':
      case 'def':
      case 'hr':
        break;
      default:
        this.#outline.add(this.#prose(token, line, kind));
    }
  }

  #readList({ items, ordered, start }: Tokens.List, firstLine: number): void {
    let line = firstLine;
    items.forEach((item, i) => {
      this.#number = ordered ? `${Number(start || 1) + i}. ` : '';
      this.read(item.tokens, line, 'item');
      line += breaksIn(item.raw);
    });
    this.#number = '';
  }

  #prose(token: Token, line: number, kind: 'prose' | 'item') {
    const text = new RunningText();
    text.append(this.#number, line);
    this.#number = '';
    text.append(plainText([token]), line);
    return text.take(kind);
  }
}

/** Inline tokens without their marks: of a link its text, of a picture what stands for it. */
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

function codeBlock({ text, raw }: Tokens.Code, line: number) {
  const isFenced = /^\s*(?:`{3}|~{3})/.test(raw);
  return { text, position: line + (isFenced ? 1 : 0), kind: 'lines' as const };
}

/** The line of dashes below the header is none of the rows. */
function tableBlock({ header, rows }: Tokens.Table, line: number) {
  const names = header.map(({ tokens }) => plainText(tokens).trim());
  if (rows.length === 0) return linesBlock([{ text: lineWith([], names), position: line }]);
  return linesBlock(
    rows.map((row, i) => ({
      text: lineWith(
        names,
        row.map(({ tokens }) => plainText(tokens).trim()),
      ),
      position: line + 2 + i,
    })),
  );
}

const kFrontMatter = /^(---|\+\+\+)[ \t]*\r?\n([\s\S]*?)\r?\n\1[ \t]*(?:\r?\n|$)/;
/** A line of YAML or TOML, or one that goes on: prose between two rules has others. */
const kMatterLine = /^(?:\s*[\w.-]+\s*[:=]|\s*-|\s*#|\s+\S|\s*[\]}]|\s*\[.*\]\s*$|\s*$)/;

interface FrontMatter {
  readonly length: number;
  readonly title: string;
  readonly description: string;
}

function frontMatter(text: string): FrontMatter | undefined {
  const [whole = '', , matter = ''] = kFrontMatter.exec(text) ?? [];
  const lines = matter.split(/\r?\n/);
  if (whole === '' || !lines.every((line) => kMatterLine.test(line))) return undefined;
  const value = (name: string): string => {
    const line = lines.find((each) => new RegExp(`^${name}\\s*[:=]`).test(each)) ?? '';
    const said = line.replace(/^\w+\s*[:=]\s*/, '').trim();
    return /^[>|[{]/.test(said) ? '' : said.replace(/^(["'])(.*)\1$/, '$2');
  };
  return {
    length: whole.length,
    title: value('title'),
    description: value('description') || value('summary'),
  };
}

function breaksIn(text: string): number {
  return text.match(/\n/g)?.length ?? 0;
}
