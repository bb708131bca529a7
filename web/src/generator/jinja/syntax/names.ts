// What the statements and expressions of a template do to the names of the part that they are in.
import type { Body, Statement, StatementOf, Target } from './nodes.ts';
import type { Symbols } from './symbols.ts';

/** The nodes in a node, in order. */
export function childrenOf(node: object): object[] {
  const children: object[] = [];
  for (const value of Object.values(node)) {
    const parts = Array.isArray(value) ? value : [value];
    children.push(...parts.filter((part) => typeof part === 'object' && part !== null));
  }
  return children;
}

const isExpressionLeaf = (node: object): boolean =>
  'type' in node && (node as { type: unknown }).type === 'constant';

export function visitExpression(node: object, symbols: Symbols): void {
  if (isExpressionLeaf(node)) {
    return;
  }
  const { type, name } = node as { type?: unknown; name?: string };
  if (type === 'name') {
    symbols.load(name as string);
    return;
  }
  for (const child of childrenOf(node)) {
    visitExpression(child, symbols);
  }
}

export function visitTarget(target: Target, symbols: Symbols, isGiven = false): void {
  if (target.type === 'targets') {
    for (const item of target.items) {
      visitTarget(item, symbols, isGiven);
    }
  } else if (target.type === 'field') {
    symbols.load(target.name);
  } else if (isGiven) {
    symbols.give(target.name);
  } else {
    symbols.store(target.name);
  }
}

export function visitBody(body: Body, symbols: Symbols): void {
  for (const statement of body) {
    visitStatement(statement, symbols);
  }
}

function visitStatement(node: Statement, symbols: Symbols): void {
  switch (node.type) {
    case 'output':
      for (const part of node.parts) {
        if (typeof part !== 'string') {
          visitExpression(part, symbols);
        }
      }
      break;
    case 'set':
      visitExpression(node.value, symbols);
      visitTarget(node.target, symbols);
      break;
    case 'setBlock':
      visitTarget(node.target, symbols);
      break;
    case 'if':
      visitIf(node, symbols);
      break;
    case 'for':
      visitExpression(node.items, symbols);
      break;
    case 'macro':
      symbols.store(node.name);
      break;
    case 'callBlock':
      visitExpression(node.call, symbols);
      break;
    case 'filterBlock':
      visitExpression(node.filter, symbols);
      break;
    case 'with':
      visitExpression(node.values, symbols);
      break;
  }
}

/** jinja2 has each `elif` as an `if` of its own. */
function visitIf({ branches, otherwise }: StatementOf<'if'>, symbols: Symbols): void {
  const [first, ...others] = branches;
  if (!first) {
    return;
  }
  visitExpression(first.test, symbols);
  const [body, elifs, last] = [symbols.branch(), symbols.branch(), symbols.branch()];
  visitBody(first.body, body);
  for (const { test, body: inner } of others) {
    visitExpression(test, elifs);
    const branch = elifs.branch();
    visitBody(inner, branch);
    elifs.merge([branch, elifs.branch(), elifs.branch()]);
  }
  visitBody(otherwise, last);
  symbols.merge([body, elifs, last]);
}

/** Whether something in a loop is assigned to `loop`. */
export function storesLoop(node: object): boolean {
  const { type, name } = node as { type?: unknown; name?: unknown };
  return type === 'store' ? name === 'loop' : childrenOf(node).some(storesLoop);
}

/** Which of the names that only macros have are used in a body before they are assigned there. */
export function usedSpecials(body: Body): Set<string> {
  const used = new Set<string>();
  const open = new Set(['caller', 'kwargs', 'varargs']);
  const visit = (node: object) => {
    const { type, name } = node as { type?: unknown; name?: string };
    if (type === 'block' || type === 'constant') {
      return;
    }
    if (type === 'name' && open.has(name as string)) {
      used.add(name as string);
    } else if (type === 'store') {
      open.delete(name as string);
    }
    childrenOf(node).forEach(visit);
  };
  body.forEach(visit);
  return used;
}
