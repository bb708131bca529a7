// Parses expressions, each operator by its place in jinja2's order.
import { fail } from '../base/errors.ts';
import type { Operator } from '../values/arithmetic.ts';
import { parseCallArguments, parseFilter, parsePostfix, parseTest } from './call-parser.ts';
import type { Expression } from './nodes.ts';
import type { TokenStream } from './token-stream.ts';
import { describeToken } from './tokens.ts';

type Parse = (stream: TokenStream) => Expression;

/** `withCondition` is false where an `if` belongs to the statement. */
export function parseExpression(stream: TokenStream, withCondition = true): Expression {
  return stream.inside(() => (withCondition ? parseCondition(stream) : parseOr(stream)));
}

function parseCondition(stream: TokenStream): Expression {
  let { line } = stream;
  let then = parseOr(stream);
  while (stream.skip('name', 'if')) {
    const test = parseOr(stream);
    const otherwise = stream.skip('name', 'else') ? parseExpression(stream) : undefined;
    then = { type: 'condition', line, test, then, otherwise };
    line = stream.line;
  }
  return then;
}

function chained(stream: TokenStream, type: 'and' | 'or', parse: Parse): Expression {
  let { line } = stream;
  let left = parse(stream);
  while (stream.skip('name', type)) {
    left = { type, line, left, right: parse(stream) };
    line = stream.line;
  }
  return left;
}

const parseOr: Parse = (stream) => chained(stream, 'or', parseAnd);
const parseAnd: Parse = (stream) => chained(stream, 'and', parseNot);

function parseNot(stream: TokenStream): Expression {
  const { line } = stream;
  return stream.skip('name', 'not')
    ? { type: 'not', line, operand: stream.inside(() => parseNot(stream)) }
    : parseCompare(stream);
}

function parseCompare(stream: TokenStream): Expression {
  const { line } = stream;
  const first = parseSum(stream);
  const rest: { sign: string; operand: Expression }[] = [];
  for (let sign = comparison(stream); sign !== undefined; sign = comparison(stream)) {
    rest.push({ sign, operand: parseSum(stream) });
  }
  return rest.length === 0 ? first : { type: 'compare', line, first, rest };
}

function comparison(stream: TokenStream): string | undefined {
  if (stream.isOperator('==', '!=', '<', '<=', '>', '>=') || stream.isName('in')) {
    return stream.next().value;
  }
  const { type, value } = stream.following;
  if (stream.isName('not') && type === 'name' && value === 'in') {
    stream.next();
    stream.next();
    return 'not in';
  }
  return undefined;
}

function binaries(stream: TokenStream, signs: readonly Operator[], parse: Parse): Expression {
  let { line } = stream;
  let left = parse(stream);
  while (stream.isOperator(...signs)) {
    const sign = stream.next().value as Operator;
    left = { type: 'binary', line, sign, left, right: parse(stream) };
    line = stream.line;
  }
  return left;
}

const parseSum: Parse = (stream) => binaries(stream, ['+', '-'], parseConcat);
const parseProduct: Parse = (stream) => binaries(stream, ['*', '/', '//', '%'], parsePower);
const parsePower: Parse = (stream) => binaries(stream, ['**'], (inner) => parseUnary(inner, true));

function parseConcat(stream: TokenStream): Expression {
  const { line } = stream;
  const items = [parseProduct(stream)];
  while (stream.skip('operator', '~')) {
    items.push(parseProduct(stream));
  }
  return items.length === 1 ? (items[0] as Expression) : { type: 'concat', line, items };
}

function parseUnary(stream: TokenStream, withFilter: boolean): Expression {
  const { line } = stream;
  let node: Expression;
  if (stream.isOperator('-', '+')) {
    const sign = stream.next().value as '-' | '+';
    const operand = stream.inside(() => parseUnary(stream, false));
    node = { type: 'unary', line, sign, operand };
  } else {
    node = parsePrimary(stream);
  }
  node = parsePostfix(stream, node, parseExpression);
  return withFilter ? parseFilters(stream, node) : node;
}

function parseFilters(stream: TokenStream, operand: Expression): Expression {
  let node = operand;
  for (;;) {
    const { line } = stream;
    if (stream.isOperator('|')) {
      node = parseFilter(stream, node, parseExpression) as Expression;
    } else if (stream.isName('is')) {
      node = parseTest(stream, node, parseExpression, parsePrimary);
    } else if (stream.isOperator('(')) {
      node = { type: 'call', line, callee: node, ...parseCallArguments(stream, parseExpression) };
    } else {
      return node;
    }
  }
}

const constants = new Map<string, boolean | null>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
]);

export function parsePrimary(stream: TokenStream): Expression {
  const token = stream.current;
  const { type, value, line } = token;
  if (type === 'string') {
    return { type: 'constant', line, value: parseTexts(stream) };
  }
  if (stream.isOperator('[')) {
    return { type: 'list', line, items: parseItems(stream, ']', parseExpression) };
  }
  if (stream.isOperator('{')) {
    return { type: 'dict', line, items: parseItems(stream, '}', parsePair) };
  }
  stream.next();
  if (type === 'name') {
    const constant = constants.get(value);
    return constant === undefined
      ? { type: 'name', line, name: value }
      : { type: 'constant', line, value: constant };
  }
  if (type === 'integer' || type === 'float') {
    return { type: 'constant', line, value: type === 'integer' ? BigInt(value) : Number(value) };
  }
  if (type === 'operator' && value === '(') {
    const tuple = parseTuple(stream, { isInParentheses: true });
    stream.expect('operator', ')');
    return tuple;
  }
  return fail(`unexpected '${describeToken(token)}'`, line);
}

/** Texts beside each other are one. */
function parseTexts(stream: TokenStream): string {
  let text = '';
  while (stream.is('string')) {
    text += stream.next().value;
  }
  return text;
}

function parseItems<T>(stream: TokenStream, close: string, parse: (stream: TokenStream) => T): T[] {
  stream.next();
  const items: T[] = [];
  while (!stream.isOperator(close)) {
    if (items.length > 0) {
      stream.expect('operator', ',');
      if (stream.isOperator(close)) {
        break;
      }
    }
    items.push(parse(stream));
  }
  stream.next();
  return items;
}

function parsePair(stream: TokenStream): readonly [Expression, Expression] {
  const key = parseExpression(stream);
  stream.expect('operator', ':');
  return [key, parseExpression(stream)];
}

/** An expression, or several with commas between them. */
export function parseTuple(
  stream: TokenStream,
  {
    withCondition = true,
    end,
    isInParentheses = false,
    parse = (inner: TokenStream) => parseExpression(inner, withCondition),
  }: {
    readonly withCondition?: boolean;
    /** A name that ends it. */
    readonly end?: string;
    readonly isInParentheses?: boolean;
    readonly parse?: Parse;
  } = {},
): Expression {
  let { line } = stream;
  const items: Expression[] = [];
  let isTuple = false;
  for (;;) {
    if (items.length > 0) {
      stream.expect('operator', ',');
    }
    if (stream.is('end') || stream.isOperator(')') || (end !== undefined && stream.isName(end))) {
      break;
    }
    items.push(parse(stream));
    if (!stream.isOperator(',')) {
      break;
    }
    isTuple = true;
    line = stream.line;
  }
  if (!isTuple && items[0]) {
    return items[0];
  }
  if (!isTuple && !isInParentheses) {
    fail(`Expected an expression, got '${describeToken(stream.current)}'`, stream.line);
  }
  return { type: 'tuple', line, items };
}
