// Cuts what is in a tag into names, numbers, texts and operators.
import { fail } from '../base/errors.ts';
import { isSpace } from '../values/chars.ts';
import type { Token, TokenType } from './tokens.ts';
import { unescaped } from './unescape.ts';

const digits = '(?:\\d+_)*\\d+';
/** In this order. */
const patterns: readonly (readonly [TokenType, RegExp])[] = [
  ['float', new RegExp(`${digits}(?:(?:\\.${digits})?[eE][+-]?${digits}|\\.${digits})`, 'y')],
  [
    'integer',
    /0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*/y,
  ],
  ['name', /[\p{L}\p{N}_]+/uy],
  ['string', /'[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y],
  ['operator', /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}.:|,;=><]/y],
];

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const expected: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

export class ExpressionLexer {
  readonly #source: string;
  readonly #kind: string;
  readonly #lineAt: (at: number) => number;
  readonly #open: string[] = [];
  #at: number;

  /** `kind` is `%` or `{`, by the tag. */
  constructor(source: string, at: number, kind: string, lineAt: (at: number) => number) {
    this.#source = source;
    this.#at = at;
    this.#kind = kind;
    this.#lineAt = lineAt;
  }

  /** Gives where the tag is over. */
  run(tokens: Token[]): number {
    for (;;) {
      while (this.#at < this.#source.length && isSpace(this.#source[this.#at] as string)) {
        this.#at++;
      }
      const line = this.#lineAt(this.#at);
      const end = this.#open.length === 0 ? this.#endOfTag() : undefined;
      if (end !== undefined) {
        tokens.push({ type: 'end', value: this.#kind, line });
        return end;
      }
      if (this.#at >= this.#source.length) {
        return this.#at;
      }
      tokens.push(this.#next(line));
    }
  }

  #endOfTag(): number | undefined {
    const close = this.#kind === '%' ? '%}' : '}}';
    const sign = this.#source[this.#at] as string;
    const isSigned = sign === '-' || (sign === '+' && this.#kind === '%');
    const at = this.#at + (isSigned ? 1 : 0);
    if (!this.#source.startsWith(close, at)) {
      return undefined;
    }
    let end = at + 2;
    if (isSigned && sign === '-') {
      while (end < this.#source.length && isSpace(this.#source[end] as string)) {
        end++;
      }
    } else if (!isSigned && this.#kind === '%' && this.#source[end] === '\n') {
      end++;
    }
    return end;
  }

  #next(line: number): Token {
    for (const [type, pattern] of patterns) {
      pattern.lastIndex = this.#at;
      // A number after a dot is an index.
      const isIndex = type === 'float' && this.#source[this.#at - 1] === '.';
      const text = isIndex ? undefined : pattern.exec(this.#source)?.[0];
      if (text !== undefined) {
        this.#at += text.length;
        return { type, value: this.#read(type, text, line), line };
      }
    }
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) as number);
    return fail(`unexpected char '${character}' at ${this.#at}`, line);
  }

  #read(type: TokenType, text: string, line: number): string {
    switch (type) {
      case 'string':
        return unescaped(text.slice(1, -1), line);
      case 'operator':
        this.#balance(text, line);
        return text;
      case 'name':
        return /^[\p{L}\p{Nl}_]/u.test(text) ? text : fail('Invalid character in identifier', line);
      default:
        return text.replaceAll('_', '');
    }
  }

  #balance(operator: string, line: number): void {
    if (operator in expected) {
      this.#open.push(operator);
      return;
    }
    const opener = closers[operator];
    if (opener === undefined) {
      return;
    }
    const open = this.#open.pop();
    if (open === undefined) {
      fail(`unexpected '${operator}'`, line);
    }
    if (open !== opener) {
      fail(`unexpected '${operator}', expected '${expected[open]}'`, line);
    }
  }
}
