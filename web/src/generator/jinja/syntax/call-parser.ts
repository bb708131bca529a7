// Parses what follows a value: attributes, indexes, calls, filters and tests.
import { fail } from '../base/errors.ts';
import type { CallArguments, Expression } from './nodes.ts';
import type { TokenStream } from './token-stream.ts';

type Parse = (stream: TokenStream) => Expression;

export function parsePostfix(stream: TokenStream, value: Expression, parse: Parse): Expression {
  let object = value;
  for (;;) {
    const { line } = stream;
    if (stream.isOperator('.')) {
      object = parseAttribute(stream, object);
    } else if (stream.isOperator('[')) {
      object = parseSubscript(stream, object, parse);
    } else if (stream.isOperator('(')) {
      object = { type: 'call', line, callee: object, ...parseCallArguments(stream, parse) };
    } else {
      return object;
    }
  }
}

function parseAttribute(stream: TokenStream, object: Expression): Expression {
  const { line } = stream.next();
  const { type, value } = stream.next();
  if (type === 'name') {
    return { type: 'attribute', line, object, name: value };
  }
  if (type !== 'integer') {
    fail('expected name or number', line);
  }
  return { type: 'item', line, object, index: { type: 'constant', line, value: BigInt(value) } };
}

function parseSubscript(stream: TokenStream, object: Expression, parse: Parse): Expression {
  const { line } = stream.next();
  const parts: Expression[] = [];
  while (!stream.isOperator(']')) {
    if (parts.length > 0) {
      stream.expect('operator', ',');
    }
    parts.push(parseSubscribed(stream, object, parse));
  }
  stream.next();
  const [first] = parts;
  if (parts.length === 1 && first) {
    return first.type === 'slice' && first.object === object
      ? first
      : { type: 'item', line, object, index: first };
  }
  if (parts.some((part) => part.type === 'slice' && part.object === object)) {
    fail('a slice among several indexes is not supported', line);
  }
  return { type: 'item', line, object, index: { type: 'tuple', line, items: parts } };
}

function parseSubscribed(stream: TokenStream, object: Expression, parse: Parse): Expression {
  const { line } = stream;
  const from = stream.isOperator(':') ? undefined : parse(stream);
  if (!stream.skip('operator', ':')) {
    return from as Expression;
  }
  const part = (...ends: readonly string[]) =>
    stream.isOperator(...ends) ? undefined : parse(stream);
  const to = part(':', ']', ',');
  const by = stream.skip('operator', ':') ? part(']', ',') : undefined;
  return { type: 'slice', line, object, from, to, by };
}

export function parseCallArguments(stream: TokenStream, parse: Parse): CallArguments {
  const { line } = stream.expect('operator', '(');
  const args: Expression[] = [];
  const named: { name: string; value: Expression }[] = [];
  let moreArgs: Expression | undefined;
  let moreNamed: Expression | undefined;
  const check = (isRight: boolean) =>
    isRight || fail('invalid syntax for function call expression', line);
  for (let isFirst = true; !stream.isOperator(')'); isFirst = false) {
    if (!isFirst) {
      stream.expect('operator', ',');
      if (stream.isOperator(')')) {
        break;
      }
    }
    if (stream.skip('operator', '*')) {
      check(!moreArgs && !moreNamed);
      moreArgs = parse(stream);
    } else if (stream.skip('operator', '**')) {
      check(!moreNamed);
      moreNamed = parse(stream);
    } else if (
      stream.is('name') &&
      stream.following.type === 'operator' &&
      stream.following.value === '='
    ) {
      check(!moreNamed);
      const name = stream.next().value;
      stream.next();
      check(named.every((other) => other.name !== name));
      named.push({ name, value: parse(stream) });
    } else {
      check(!moreArgs && !moreNamed && named.length === 0);
      args.push(parse(stream));
    }
  }
  stream.next();
  return { args, named, moreArgs, moreNamed };
}

const noArguments: CallArguments = {
  args: [],
  named: [],
  moreArgs: undefined,
  moreNamed: undefined,
};

function parseDottedName(stream: TokenStream): string {
  let name = stream.expect('name').value;
  while (stream.skip('operator', '.')) {
    name += `.${stream.expect('name').value}`;
  }
  return name;
}

/** Filters one after the other. Without an operand they take the text of a block. `startsInline` is for
 *  `{% filter name %}`, which has no bar. */
export function parseFilter(
  stream: TokenStream,
  operand: Expression | undefined,
  parse: Parse,
  startsInline = false,
): Expression | undefined {
  let node = operand;
  for (let isInline = startsInline; isInline || stream.isOperator('|'); isInline = false) {
    if (!isInline) {
      stream.next();
    }
    const { line } = stream;
    const name = parseDottedName(stream);
    const given = stream.isOperator('(') ? parseCallArguments(stream, parse) : noArguments;
    node = { type: 'filter', line, operand: node, name, ...given };
  }
  return node;
}

export function parseTest(
  stream: TokenStream,
  operand: Expression,
  parse: Parse,
  parsePrimary: Parse,
): Expression {
  const { line } = stream.next();
  const isNegated = stream.skip('name', 'not');
  const name = parseDottedName(stream);
  let given = noArguments;
  if (stream.isOperator('(')) {
    given = parseCallArguments(stream, parse);
  } else if (takesArgument(stream)) {
    if (stream.isName('is')) {
      fail('You cannot chain multiple tests with is', line);
    }
    given = { ...noArguments, args: [parsePostfix(stream, parsePrimary(stream), parse)] };
  }
  const test: Expression = { type: 'test', line, operand, name, ...given };
  return isNegated ? { type: 'not', line, operand: test } : test;
}

function takesArgument(stream: TokenStream): boolean {
  const { type } = stream.current;
  const isValue = type === 'name' || type === 'string' || type === 'integer' || type === 'float';
  return (isValue && !stream.isName('else', 'or', 'and')) || stream.isOperator('[', '{');
}
