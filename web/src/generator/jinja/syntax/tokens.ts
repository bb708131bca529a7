// Parts of a template, as jinja2 cuts them.

export type TokenType =
  | 'data'
  | 'begin'
  | 'end'
  | 'name'
  | 'string'
  | 'integer'
  | 'float'
  | 'operator'
  | 'eof';

export interface Token {
  readonly type: TokenType;
  /** Where a tag begins or ends it is `%` or `{`, by the tag. */
  readonly value: string;
  readonly line: number;
}

const described: Readonly<Partial<Record<TokenType, string>>> = {
  data: 'template data / text',
  eof: 'end of template',
};

export function describeToken({ type, value }: Token): string {
  if (type === 'begin' || type === 'end') {
    return `${type} of ${value === '%' ? 'statement block' : 'print statement'}`;
  }
  return described[type] ?? value;
}
