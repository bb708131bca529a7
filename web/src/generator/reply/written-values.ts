// Reads values as models write them in calls: Python's and JSON's, and Gemma 4's, whose texts stand between marks and whose
// keys have no quotes.
import type { ToolCall } from '../base/types.ts';
import { badCall, isObject } from './call-parts.ts';

const deepest = 64;
const quote = '<|"|>';
const names: Readonly<Record<string, unknown>> = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
  null: null,
};
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '0': '\0',
  '\n': '',
};

export class WrittenValues {
  readonly #text: string;
  /** The place of the first call, for errors. */
  readonly #index: number;
  #at = 0;
  #depth = 0;

  constructor(text: string, index: number) {
    this.#text = text;
    this.#index = index;
  }

  /** `[weather(city='Oslo'), time()]`, or without the brackets, where commas may be missing. */
  pythonCalls(): readonly ToolCall[] {
    const isList = this.#take('[');
    const calls: ToolCall[] = [];
    while (!this.#isAtEnd() && !(isList && this.#take(']'))) {
      const name = this.#word(/[\w.-]+/y, 'a name');
      this.#expect('(');
      calls.push({ name, arguments: this.#members('=', ')') });
      if (!this.#take(',') && isList && !this.#isAtEnd() && this.#text[this.#at] !== ']') {
        throw this.#bad('a comma');
      }
    }
    this.#expectEnd();
    return calls;
  }

  /** A name that the pattern finds, and an object. */
  call(pattern: RegExp): ToolCall {
    const [whole, name = ''] = pattern.exec(this.#text) ?? [];
    if (whole === undefined) {
      throw this.#bad('a name');
    }
    this.#at = whole.length;
    const args = this.#value();
    this.#expectEnd();
    if (!isObject(args)) {
      throw badCall(this.#index, 'Its arguments must be an object.');
    }
    return { name, arguments: args };
  }

  #value(): unknown {
    if (++this.#depth > deepest) {
      throw badCall(this.#index, `Its values are more than ${deepest} deep.`);
    }
    const value = this.#anyValue();
    this.#depth--;
    return value;
  }

  #anyValue(): unknown {
    if (this.#take(quote)) {
      return this.#marked();
    }
    for (const mark of ['"', "'"]) {
      if (this.#take(mark)) {
        return this.#quoted(mark);
      }
    }
    if (this.#take('{')) {
      return this.#members(':', '}');
    }
    for (const [begin, end] of ['[]', '()']) {
      if (this.#take(begin as string)) {
        return this.#list(end as string);
      }
    }
    const word = this.#word(/[^\s,:=()[\]{}]+/y, 'a value');
    if (Object.hasOwn(names, word)) {
      return names[word];
    }
    if (!/^[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(word)) {
      throw this.#bad('a value');
    }
    return Number(word.replaceAll('_', ''));
  }

  #list(end: string): unknown[] {
    const items: unknown[] = [];
    while (!this.#take(end)) {
      items.push(this.#value());
      if (!this.#take(',')) {
        this.#expect(end);
        break;
      }
    }
    return items;
  }

  /** Keys may stand in quotes or without any. */
  #members(between: string, end: string): Record<string, unknown> {
    const members: [string, unknown][] = [];
    while (!this.#take(end)) {
      const isText = /[<"']/.test(this.#text[this.#at] ?? '');
      const key = isText ? String(this.#value()) : this.#word(/[^\s:=,(){}[\]]+/y, 'a key');
      this.#expect(between);
      members.push([key, this.#value()]);
      if (!this.#take(',')) {
        this.#expect(end);
        break;
      }
    }
    return Object.fromEntries(members);
  }

  #marked(): string {
    const end = this.#text.indexOf(quote, this.#at);
    if (end < 0) {
      throw this.#bad(quote);
    }
    const text = this.#text.slice(this.#at, end);
    this.#at = end + quote.length;
    return text;
  }

  #quoted(mark: string): string {
    const parts: string[] = [];
    for (;;) {
      const c = this.#text[this.#at++];
      if (c === undefined) {
        throw this.#bad(mark);
      }
      if (c === mark) {
        return parts.join('');
      }
      parts.push(c === '\\' ? this.#escaped() : c);
    }
  }

  #escaped(): string {
    const c = this.#text[this.#at++] ?? '';
    const digits = { x: 2, u: 4, U: 8 }[c];
    if (digits === undefined) {
      return escapes[c] ?? (/["'\\/]/.test(c) ? c : `\\${c}`);
    }
    const code = this.#text.slice(this.#at, this.#at + digits);
    if (!/^[\da-fA-F]+$/.test(code) || code.length < digits || Number(`0x${code}`) > 0x10ffff) {
      throw this.#bad('the digits of a character');
    }
    this.#at += digits;
    return c === 'U'
      ? String.fromCodePoint(Number(`0x${code}`))
      : String.fromCharCode(Number(`0x${code}`));
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) {
      this.#at++;
    }
  }

  #take(mark: string): boolean {
    this.#skipSpace();
    const is = this.#text.startsWith(mark, this.#at);
    this.#at += is ? mark.length : 0;
    return is;
  }

  #expect(mark: string): void {
    if (!this.#take(mark)) {
      throw this.#bad(mark);
    }
  }

  #word(pattern: RegExp, what: string): string {
    this.#skipSpace();
    pattern.lastIndex = this.#at;
    const [word] = pattern.exec(this.#text) ?? [];
    if (word === undefined) {
      throw this.#bad(what);
    }
    this.#at += word.length;
    return word;
  }

  #isAtEnd(): boolean {
    this.#skipSpace();
    return this.#at >= this.#text.length;
  }

  #expectEnd(): void {
    if (!this.#isAtEnd()) {
      throw this.#bad('nothing more');
    }
  }

  #bad(expected: string) {
    return badCall(this.#index, `Expected ${expected} at character ${this.#at} of it.`);
  }
}
