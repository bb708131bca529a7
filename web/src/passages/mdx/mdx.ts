// Makes Markdown of MDX, with the same lines: imports, exports, expressions and tags of JSX are left out. The text in elements is
// Markdown, and titles of elements are text.
import { frontMatterOf } from '../markdown/front-matter.ts';
import { endOfBrackets, endOfStatements } from './javascript.ts';
import { jsxTagAt, literalText } from './jsx-tag.ts';

const codeFence = /^[ \t]*(`{3,}|~{3,})/;
const statement = /^(?:import|export)\b(?!\s+(?:to|from|the|and|of|is|are|a|in)\b)/;
/** What may begin something else than text. */
const sign = /[\\`{<]/g;
const codeSpan = /`+/y;
const maxSpanUnits = 4096;
const maxRun = 100;
const maxTries = 50;

export function markdownOf(source: string): string {
  const text = source.replace(/\r\n?/g, '\n');
  const begin = frontMatterOf(text)?.length ?? 0;
  return text.slice(0, begin) + new MdxReader(text, begin).read();
}

class MdxReader {
  readonly #text: string;
  #at: number;
  readonly #out: string[] = [];
  /** Elements that are open. */
  #depth = 0;
  /** How often a bracket may have no end. Each is looked for in the text ahead. */
  #tries = maxTries;

  constructor(text: string, begin: number) {
    this.#text = text;
    this.#at = begin;
  }

  read(): string {
    let isAfterBlank = true;
    while (this.#at < this.#text.length) {
      const line = this.#lineAt(this.#at);
      const fence = codeFence.exec(line)?.[1];
      if (fence !== undefined) {
        this.#copyCode(fence, line);
        isAfterBlank = true;
      } else if (isAfterBlank && this.#depth === 0 && statement.test(line)) {
        this.#skipStatements();
      } else {
        isAfterBlank = line.trim() === '';
        this.#readLine(line);
      }
    }
    return this.#out.join('');
  }

  /** With its line end. */
  #lineAt(at: number): string {
    const end = this.#text.indexOf('\n', at);
    return this.#text.slice(at, end < 0 ? this.#text.length : end + 1);
  }

  /** Code in elements is indented as these are. */
  #copyCode(fence: string, first: string): void {
    const indent = this.#depth > 0 ? (/^[ \t]*/.exec(first)?.[0].length ?? 0) : 0;
    const isEnd = (line: string) =>
      line.length >= fence.length && line.split(fence[0] ?? '').join('') === '';
    let isFirst = true;
    while (this.#at < this.#text.length) {
      const line = this.#lineAt(this.#at);
      const spaces = /^[ \t]*/.exec(line)?.[0].length ?? 0;
      this.#out.push(line.slice(Math.min(indent, spaces)));
      this.#at += line.length;
      if (!isFirst && isEnd(line.trim())) {
        return;
      }
      isFirst = false;
    }
  }

  #skipStatements(): void {
    const found = this.#tried(endOfStatements, this.#at);
    const blank = this.#text.indexOf('\n\n', this.#at);
    this.#skipTo(found >= 0 ? found : blank < 0 ? this.#text.length : blank);
  }

  /** Goes on at an index, and keeps the line ends before it. */
  #skipTo(end: number): void {
    this.#out.push(this.#text.slice(this.#at, end).replace(/[^\n]+/g, ''));
    this.#at = end;
  }

  /** Reads to the end of the line, or of what begins on it. */
  #readLine(line: string): void {
    const end = this.#at + line.length;
    if (this.#depth > 0) {
      this.#at += line.length - line.trimStart().length;
      // A line of white space only ends with its line end.
      if (this.#at >= end) {
        this.#out.push('\n');
        return;
      }
    }
    while (this.#at < end) {
      sign.lastIndex = this.#at;
      const found = sign.exec(this.#text);
      const next = found && found.index < end ? found.index : end;
      this.#copyTo(next);
      if (next < end) {
        this.#readSign(found?.[0] ?? '');
      }
    }
  }

  #copyTo(end: number): void {
    this.#out.push(this.#text.slice(this.#at, end));
    this.#at = end;
  }

  #readSign(found: string): void {
    if (found === '\\') {
      this.#copyTo(Math.min(this.#at + 2, this.#text.length));
    } else if (found === '`') {
      this.#copySpan();
    } else if (found === '{') {
      this.#skipExpression();
    } else if (this.#text.startsWith('<!--', this.#at)) {
      const end = this.#text.indexOf('-->', this.#at);
      this.#skipTo(end < 0 ? this.#text.length : end + 3);
    } else {
      this.#skipTag();
    }
  }

  #copySpan(): void {
    codeSpan.lastIndex = this.#at;
    const run = codeSpan.exec(this.#text)?.[0] ?? '`';
    const begin = this.#at + run.length;
    if (run.length > maxRun) {
      this.#copyTo(begin);
      return;
    }
    const ahead = this.#text.slice(begin, begin + maxSpanUnits);
    const end = new RegExp(`(?<!\`)${run}(?!\`)`).exec(ahead);
    const isSpan = end !== null && !ahead.slice(0, end.index).includes('\n\n');
    this.#copyTo(isSpan ? begin + end.index + run.length : begin);
  }

  readonly #endOfBrackets = (begin: number): number => this.#tried(endOfBrackets, begin);

  /** Returns -1 where there is no end, and where it is not looked for any more. */
  #tried(find: (text: string, begin: number) => number, begin: number): number {
    const end = this.#tries > 0 ? find(this.#text, begin) : -1;
    this.#tries -= end < 0 ? 1 : 0;
    return end;
  }

  /** Within a paragraph an expression has no blank line. */
  #isExpression(end: number): boolean {
    const before = this.#text.slice(this.#text.lastIndexOf('\n', this.#at - 1) + 1, this.#at);
    return before.trim() === '' || !/\n[ \t]*\n/.test(this.#text.slice(this.#at, end));
  }

  #skipExpression(): void {
    const end = this.#endOfBrackets(this.#at);
    if (end < 0 || !this.#isExpression(end)) {
      this.#copyTo(this.#at + 1);
      return;
    }
    const literal = literalText(this.#text.slice(this.#at, end));
    if (literal !== '') {
      this.#out.push(literal.replaceAll('\n', ' '));
    }
    this.#skipTo(end);
  }

  #skipTag(): void {
    const tag = jsxTagAt(this.#text, this.#at, this.#endOfBrackets);
    if (!tag) {
      this.#copyTo(this.#at + 1);
      return;
    }
    const { name, kind, shown, end } = tag;
    if (kind === 'open' && (name === 'style' || name === 'script')) {
      const close = this.#text.indexOf(`</${name}`, end);
      this.#skipTo(close < 0 ? this.#text.length : close);
      return;
    }
    this.#depth = Math.max(0, this.#depth + (kind === 'open' ? 1 : kind === 'close' ? -1 : 0));
    if (shown !== '' || name === 'br') {
      this.#out.push(` ${shown} `.replace(/\s+/g, ' '));
    }
    this.#skipTo(end);
  }
}
