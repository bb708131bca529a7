// Parses a template: texts, and tags with what is between them.
import { fail } from '../base/errors.ts';
import { parseFilter } from './call-parser.ts';
import { parseExpression, parsePrimary, parseTuple } from './expression-parser.ts';
import { tokenize } from './lexer.ts';
import type { Body, Expression, Parameter, Statement, Target } from './nodes.ts';
import { TokenStream } from './token-stream.ts';

export function parseTemplate(template: string): Body {
  const stream = new TokenStream(tokenize(template));
  return parseBody(stream, []);
}

/** Parses up to one of the tags `ends`, whose name is the next token then. */
function parseBody(stream: TokenStream, ends: readonly string[]): Body {
  const body: Statement[] = [];
  let parts: (string | Expression)[] = [];
  let { line } = stream;
  const flush = () => {
    if (parts.length > 0) {
      body.push({ type: 'output', line, parts });
    }
    parts = [];
  };
  while (!stream.is('eof')) {
    line = parts.length > 0 ? line : stream.line;
    if (stream.is('data')) {
      parts.push(stream.next().value);
    } else if (stream.skip('begin', '{')) {
      parts.push(parseTuple(stream));
      stream.expect('end', '{');
    } else {
      flush();
      stream.next();
      if (stream.isName(...ends)) {
        return body;
      }
      body.push(stream.inside(() => parseStatement(stream, ends)));
      stream.expect('end', '%');
    }
  }
  if (ends.length > 0) {
    fail(`Unexpected end of template. Jinja was looking for ${ends.join(' or ')}.`, stream.line);
  }
  flush();
  return body;
}

/** Parses what follows a tag. The tag that ends it is read up to its name. */
function parseInner(stream: TokenStream, ...ends: readonly string[]): Body {
  stream.skip('operator', ':');
  stream.expect('end', '%');
  const body = parseBody(stream, ends);
  if (stream.is('eof')) {
    fail(`Unexpected end of template. Jinja was looking for ${ends.join(' or ')}.`, stream.line);
  }
  return body;
}

/** What is between a tag and the tag that ends it. */
function parseBlock(stream: TokenStream, end: string): Body {
  const body = parseInner(stream, end);
  stream.next();
  return body;
}

type ParseStatement = (stream: TokenStream, line: number) => Statement;

const parsers: Readonly<Record<string, ParseStatement>> = {
  set: parseSet,
  for: parseFor,
  if: parseIf,
  with: parseWith,
  block: parseNamedBlock,
  macro: parseMacro,
  call: parseCall,
  print: parsePrint,
  filter(stream, line) {
    const filter = parseFilter(stream, undefined, parseExpression, true) as Expression;
    return { type: 'filterBlock', line, filter, body: parseBlock(stream, 'endfilter') };
  },
  generation: (stream, line) => ({
    type: 'generation',
    line,
    body: parseBlock(stream, 'endgeneration'),
  }),
  break: (_, line) => ({ type: 'break', line }),
  continue: (_, line) => ({ type: 'continue', line }),
};

/** Tags that jinja2 has and that no template of one text can use, or that are for HTML. */
const refused = ['extends', 'include', 'import', 'from', 'autoescape'];

function parseStatement(stream: TokenStream, ends: readonly string[]): Statement {
  const { type, value, line } = stream.current;
  if (type !== 'name') {
    fail('tag name expected', line);
  }
  const parse = Object.hasOwn(parsers, value) ? parsers[value] : undefined;
  if (!parse) {
    const isRefused = refused.includes(value);
    const looking = ends.length > 0 ? ` Jinja was looking for ${ends.join(' or ')}.` : '';
    fail(
      isRefused
        ? `the tag '${value}' is not supported`
        : `Encountered unknown tag '${value}'.${looking}`,
      line,
    );
  }
  stream.next();
  return parse(stream, line);
}

function parseSet(stream: TokenStream, line: number): Statement {
  const target = parseTarget(stream, { withField: true });
  if (stream.skip('operator', '=')) {
    return { type: 'set', line, value: parseTuple(stream), target };
  }
  const filter = parseFilter(stream, undefined, parseExpression);
  return { type: 'setBlock', line, target, filter, body: parseBlock(stream, 'endset') };
}

function parseTarget(
  stream: TokenStream,
  { withField = false, end }: { readonly withField?: boolean; readonly end?: string } = {},
): Target {
  const { line } = stream;
  const { type, value } = stream.following;
  if (withField && type === 'operator' && value === '.') {
    const { value: name } = stream.expect('name');
    stream.next();
    return { type: 'field', line, name, field: stream.expect('name').value };
  }
  return asTarget(parseTuple(stream, { parse: parsePrimary, ...(end !== undefined && { end }) }));
}

function asTarget(node: Expression): Target {
  if (
    node.type === 'name' &&
    !['true', 'false', 'none', 'True', 'False', 'None'].includes(node.name)
  ) {
    return { type: 'store', line: node.line, name: node.name };
  }
  return node.type === 'tuple'
    ? { type: 'targets', line: node.line, items: node.items.map(asTarget) }
    : fail(`can't assign to '${node.type}'`, node.line);
}

function parseFor(stream: TokenStream, line: number): Statement {
  const target = parseTarget(stream, { end: 'in' });
  stream.expect('name', 'in');
  const items = parseTuple(stream, { withCondition: false, end: 'recursive' });
  const test = stream.skip('name', 'if') ? parseExpression(stream) : undefined;
  const isRecursive = stream.skip('name', 'recursive');
  const body = parseInner(stream, 'endfor', 'else');
  const otherwise = stream.next().value === 'else' ? parseBlock(stream, 'endfor') : [];
  return { type: 'for', line, items, target, test, body, otherwise, isRecursive };
}

function parseIf(stream: TokenStream, line: number): Statement {
  const branches: { test: Expression; body: Body }[] = [];
  let end = 'elif';
  while (end === 'elif') {
    const test = parseTuple(stream, { withCondition: false });
    branches.push({ test, body: parseInner(stream, 'elif', 'else', 'endif') });
    end = stream.next().value;
  }
  const otherwise = end === 'else' ? parseBlock(stream, 'endif') : [];
  return { type: 'if', line, branches, otherwise };
}

function parseWith(stream: TokenStream, line: number): Statement {
  const targets: Target[] = [];
  const values: Expression[] = [];
  while (!stream.is('end')) {
    if (targets.length > 0) {
      stream.expect('operator', ',');
    }
    targets.push(parseTarget(stream));
    stream.expect('operator', '=');
    values.push(parseExpression(stream));
  }
  return { type: 'with', line, values, targets, body: parseBlock(stream, 'endwith') };
}

function parseNamedBlock(stream: TokenStream, line: number): Statement {
  const name = stream.expect('name').value;
  const isScoped = stream.skip('name', 'scoped');
  if (stream.isName('required')) {
    fail('a required block needs another template', line);
  }
  const body = parseBlock(stream, 'endblock');
  stream.skip('name', name);
  return { type: 'block', line, name, isScoped, body };
}

function parseMacro(stream: TokenStream, line: number): Statement {
  const { value: name } = stream.expect('name');
  const parameters = parseParameters(stream);
  return { type: 'macro', line, name, parameters, body: parseBlock(stream, 'endmacro') };
}

function parseCall(stream: TokenStream, line: number): Statement {
  const parameters = stream.isOperator('(') ? parseParameters(stream) : [];
  const call = parseExpression(stream);
  if (call.type !== 'call') {
    fail('expected call', line);
  }
  return { type: 'callBlock', line, call, parameters, body: parseBlock(stream, 'endcall') };
}

function parseParameters(stream: TokenStream): readonly Parameter[] {
  stream.expect('operator', '(');
  const parameters: Parameter[] = [];
  while (!stream.isOperator(')')) {
    if (parameters.length > 0) {
      stream.expect('operator', ',');
    }
    const { value: name, line } = stream.expect('name');
    const otherwise = stream.skip('operator', '=') ? parseExpression(stream) : undefined;
    if (!otherwise && parameters.at(-1)?.otherwise) {
      fail('non-default argument follows default argument', line);
    }
    if (parameters.some((parameter) => parameter.name === name)) {
      fail(`duplicate argument '${name}' in function definition`, line);
    }
    parameters.push({ name, otherwise });
  }
  stream.next();
  return parameters;
}

function parsePrint(stream: TokenStream, line: number): Statement {
  const parts: Expression[] = [];
  while (!stream.is('end')) {
    if (parts.length > 0) {
      stream.expect('operator', ',');
    }
    parts.push(parseExpression(stream));
  }
  return { type: 'output', line, parts };
}
