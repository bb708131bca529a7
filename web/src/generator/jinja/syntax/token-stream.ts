// The tokens of a template, one after the other.
import { fail } from '../base/errors.ts';
import { levelsExceeded, templateLimits } from '../base/limits.ts';
import { describeToken, type Token, type TokenType } from './tokens.ts';

export class TokenStream {
  readonly #tokens: readonly Token[];
  #at = 0;
  #level = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get current(): Token {
    return this.#tokens[this.#at] as Token;
  }

  get following(): Token {
    return this.#tokens[this.#at + 1] ?? this.current;
  }

  get line(): number {
    return this.current.line;
  }

  next(): Token {
    const token = this.current;
    if (token.type !== 'eof') {
      this.#at++;
    }
    return token;
  }

  is(type: TokenType, value?: string): boolean {
    return this.current.type === type && (value === undefined || this.current.value === value);
  }

  isOperator(...values: readonly string[]): boolean {
    return this.current.type === 'operator' && values.includes(this.current.value);
  }

  isName(...values: readonly string[]): boolean {
    return this.current.type === 'name' && values.includes(this.current.value);
  }

  /** Whether the token was there. It is over then. */
  skip(type: TokenType, value: string): boolean {
    const isHere = this.is(type, value);
    if (isHere) {
      this.next();
    }
    return isHere;
  }

  expect(type: TokenType, value?: string): Token {
    if (!this.is(type, value)) {
      const wanted =
        value === undefined || type === 'end'
          ? describeToken({ type, value: value ?? type, line: 0 })
          : value;
      fail(`expected token '${wanted}', got '${describeToken(this.current)}'`, this.line);
    }
    return this.next();
  }

  /** Reads what lies one level deeper. */
  inside<T>(read: () => T): T {
    if (++this.#level > templateLimits.levels) {
      throw levelsExceeded();
    }
    const result = read();
    this.#level--;
    return result;
  }
}
