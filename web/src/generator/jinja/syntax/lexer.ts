// Cuts a template into texts and tags, and takes away the line breaks and spaces around tags that `trim_blocks`,
// `lstrip_blocks` and signs such as `{%-` name.
import { fail } from '../base/errors.ts';
import { isSpace, strip } from '../values/chars.ts';
import { ExpressionLexer } from './expression-lexer.ts';
import type { Token } from './tokens.ts';

export function tokenize(template: string): readonly Token[] {
  return new Lexer(template).run();
}

/** Line breaks become `\n`, and one at the end is left out. */
function normalized(template: string): string {
  const source = template.replace(/\r\n?/g, '\n');
  return source.endsWith('\n') ? source.slice(0, -1) : source;
}

const endOf = (text: string, at: number): number => {
  let end = at;
  while (end < text.length && isSpace(text[end] as string)) {
    end++;
  }
  return end;
};

class Lexer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  /** How far lines are counted. */
  #counted = 0;
  #startsLine = true;

  constructor(template: string) {
    this.#source = normalized(template);
  }

  run(): readonly Token[] {
    const tag = /\{[%{#]/g;
    while (this.#at < this.#source.length) {
      tag.lastIndex = this.#at;
      const found = tag.exec(this.#source);
      if (!found) {
        this.#pushData(this.#source.slice(this.#at));
        break;
      }
      this.#readTag(found.index, found[0][1] as string);
    }
    this.#tokens.push({ type: 'eof', value: '', line: this.#lineAt(this.#source.length) });
    return this.#tokens;
  }

  #lineAt(at: number): number {
    for (; this.#counted < at; this.#counted++) {
      if (this.#source[this.#counted] === '\n') {
        this.#line++;
      }
    }
    return this.#line;
  }

  #pushData(value: string): void {
    if (value !== '') {
      this.#tokens.push({ type: 'data', value, line: this.#lineAt(this.#at) });
    }
  }

  #moveTo(at: number): void {
    this.#startsLine = this.#source[at - 1] === '\n';
    this.#at = at;
  }

  /** Takes the text before a tag. Gives where the tag's inner part begins. */
  #pushBefore(at: number, kind: string): number {
    const text = this.#source.slice(this.#at, at);
    const sign = this.#source[at + 2] as string;
    if (sign === '-') {
      this.#pushData(strip(text, isSpace, { right: true }));
    } else {
      this.#pushData(sign !== '+' && kind !== '{' ? this.#withoutIndent(text) : text);
    }
    return at + (sign === '-' || sign === '+' ? 3 : 2);
  }

  #withoutIndent(text: string): string {
    const start = text.lastIndexOf('\n') + 1;
    const isBlank = endOf(text, start) === text.length;
    return isBlank && (start > 0 || this.#startsLine) ? text.slice(0, start) : text;
  }

  #readTag(at: number, kind: string): void {
    const inner = this.#pushBefore(at, kind);
    const line = this.#lineAt(at);
    if (kind === '#') {
      this.#skipComment(inner, line);
      return;
    }
    if (kind === '%' && this.#readRaw(inner, line)) {
      return;
    }
    this.#tokens.push({ type: 'begin', value: kind, line });
    const lexer = new ExpressionLexer(this.#source, inner, kind, (place) => this.#lineAt(place));
    const end = lexer.run(this.#tokens);
    this.#moveTo(end);
  }

  #skipComment(inner: number, line: number): void {
    const end = this.#source.indexOf('#}', inner);
    if (end < 0) {
      // Jinja2 takes a comment that has only begun.
      if (inner < this.#source.length) {
        fail('Missing end of comment tag', line);
      }
      this.#at = inner;
      return;
    }
    const sign = end > inner ? this.#source[end - 1] : '';
    this.#moveTo(this.#afterBlock(end + 2, sign));
  }

  /** Where a tag that ends here is over: a line break belongs to it, or all spaces. */
  #afterBlock(end: number, sign: string | undefined): number {
    if (sign === '-') {
      return endOf(this.#source, end);
    }
    return sign !== '+' && this.#source[end] === '\n' ? end + 1 : end;
  }

  /** Whether a `raw` block is here. */
  #readRaw(inner: number, line: number): boolean {
    const begin = this.#wordTag(inner, 'raw');
    if (begin === undefined || begin.sign === '+') {
      return false;
    }
    this.#moveTo(begin.sign === '-' ? endOf(this.#source, begin.end) : begin.end);
    for (
      let at = this.#source.indexOf('{%', this.#at);
      at >= 0;
      at = this.#source.indexOf('{%', at + 2)
    ) {
      const sign = this.#source[at + 2] as string;
      const end = this.#wordTag(at + (sign === '-' || sign === '+' ? 3 : 2), 'endraw');
      if (end) {
        this.#pushBefore(at, '%');
        this.#moveTo(this.#afterBlock(end.end, end.sign));
        return true;
      }
    }
    return fail('Missing end of raw directive', line);
  }

  /** The end of a tag that is one word, and the sign before it. */
  #wordTag(inner: number, word: string): { end: number; sign: string } | undefined {
    const start = endOf(this.#source, inner);
    if (!this.#source.startsWith(word, start)) {
      return undefined;
    }
    const after = endOf(this.#source, start + word.length);
    const sign = /[-+]/.test(this.#source[after] ?? '') ? (this.#source[after] as string) : '';
    const end = after + sign.length;
    return this.#source.startsWith('%}', end) ? { end: end + 2, sign } : undefined;
  }
}
