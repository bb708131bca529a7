// Looks through a parsed template before it runs: the names of its parts, and faults that jinja2 finds then.
import { fail } from '../base/errors.ts';
import {
  childrenOf,
  storesLoop,
  usedSpecials,
  visitBody,
  visitExpression,
  visitTarget,
} from './names.ts';
import type { Body, Expression, Parameter, Statement, StatementOf } from './nodes.ts';
import { type Load, Symbols } from './symbols.ts';

/** The names of a part, and what each is at its beginning. */
export type Scope = ReadonlyMap<string, Load>;

export interface Analysis {
  /** By the body of a part, or by the test of a loop. */
  readonly scopes: ReadonlyMap<object, Scope>;
  /** Macros and `call` blocks, by their bodies: which of `caller`, `kwargs` and `varargs` they use. */
  readonly specials: ReadonlyMap<Body, ReadonlySet<string>>;
}

/** Which filters and tests there are. */
interface Known {
  isFilter(name: string): boolean;
  isTest(name: string): boolean;
}

interface Place {
  readonly symbols: Symbols;
  /** Whether a fault of a name is one only if the place is reached. */
  readonly isSoft: boolean;
  readonly isInLoop: boolean;
}

export function analyze(body: Body, known: Known): Analysis {
  const analyzer = new Analyzer(known);
  analyzer.scope(body, undefined, (symbols) => visitBody(body, symbols));
  return analyzer;
}

class Analyzer implements Analysis {
  readonly scopes = new Map<object, Scope>();
  readonly specials = new Map<Body, ReadonlySet<string>>();
  readonly #known: Known;
  readonly #blocks = new Set<string>();

  constructor(known: Known) {
    this.#known = known;
  }

  /** Finds the names of a part, and then looks into it. */
  scope(
    body: Body,
    parent: Symbols | undefined,
    visit: (symbols: Symbols) => void,
    isInLoop = false,
  ): Symbols {
    const symbols = new Symbols(parent);
    visit(symbols);
    this.scopes.set(body, symbols.loads);
    this.#look(body, { symbols, isSoft: false, isInLoop });
    return symbols;
  }

  #look(body: Body, place: Place): void {
    for (const statement of body) {
      this.#lookAt(statement, place);
    }
  }

  #lookAt(node: Statement, place: Place): void {
    const { symbols, isInLoop } = place;
    switch (node.type) {
      case 'if':
        for (const { test, body } of node.branches) {
          this.#check(test, { ...place, isSoft: true });
          this.#look(body, { ...place, isSoft: true });
        }
        this.#look(node.otherwise, { ...place, isSoft: true });
        break;
      case 'for':
        this.#lookAtFor(node, place);
        break;
      case 'macro':
        this.#lookAtMacro(node.parameters, node.body, place, node.line);
        break;
      case 'callBlock':
        this.#check(node.call, place);
        this.#lookAtMacro(node.parameters, node.body, place, node.line);
        break;
      case 'with':
        this.#check(node.values, place);
        this.scope(
          node.body,
          symbols,
          (inner) => {
            for (const target of node.targets) {
              visitTarget(target, inner, true);
            }
            visitBody(node.body, inner);
          },
          isInLoop,
        );
        break;
      case 'filterBlock':
      case 'setBlock':
        this.#lookAtFiltered(node, place);
        break;
      case 'generation':
        this.scope(node.body, symbols, (inner) => visitBody(node.body, inner));
        break;
      case 'block':
        this.#lookAtBlock(node, place);
        break;
      case 'break':
      case 'continue':
        if (!isInLoop) {
          fail(`'${node.type}' outside loop`, node.line);
        }
        break;
      default:
        this.#check(node, place);
    }
  }

  #lookAtFor(node: StatementOf<'for'>, place: Place): void {
    const { symbols, isInLoop } = place;
    this.#check(node.items, place);
    if (storesLoop(node)) {
      fail("Can't assign to special loop variable in for-loop target", node.line);
    }
    if (node.test) {
      const inner = new Symbols(symbols);
      visitTarget(node.target, inner, true);
      visitExpression(node.test, inner);
      this.scopes.set(node.test, inner.loads);
      this.#check(node.test, { symbols: inner, isSoft: false, isInLoop: false });
    }
    this.scope(
      node.body,
      symbols,
      (inner) => {
        inner.give('loop');
        visitTarget(node.target, inner, true);
        visitBody(node.body, inner);
      },
      true,
    );
    this.scope(
      node.otherwise,
      symbols,
      (inner) => visitBody(node.otherwise, inner),
      isInLoop && !node.isRecursive,
    );
  }

  #lookAtMacro(
    parameters: readonly Parameter[],
    body: Body,
    { symbols }: Place,
    line: number,
  ): void {
    const specials = usedSpecials(body);
    const caller = parameters.find(({ name }) => name === 'caller');
    if (specials.has('caller') && caller && !caller.otherwise) {
      fail('the argument "caller" of a macro must be left out or have a default', line);
    }
    for (const { name } of parameters) {
      specials.delete(name);
    }
    this.specials.set(body, specials);
    const inner = new Symbols(symbols);
    for (const { name } of parameters) {
      inner.give(name);
    }
    for (const { otherwise } of parameters) {
      if (otherwise) {
        visitExpression(otherwise, inner);
      }
    }
    visitBody(body, inner);
    for (const name of specials) {
      inner.give(name);
    }
    this.scopes.set(body, inner.loads);
    const place = { symbols: inner, isSoft: false, isInLoop: false };
    this.#check(parameters, place);
    this.#look(body, place);
  }

  #lookAtFiltered(
    node: StatementOf<'filterBlock' | 'setBlock'>,
    { symbols, isInLoop }: Place,
  ): void {
    const { body, filter } = node;
    const visit = (inner: Symbols) => {
      if (filter) {
        visitExpression(filter, inner);
      }
      visitBody(body, inner);
    };
    const inner = this.scope(body, symbols, visit, isInLoop);
    if (filter) {
      this.#check(filter, { symbols: inner, isSoft: false, isInLoop });
    }
  }

  /** Blocks see the names of the whole template only. */
  #lookAtBlock({ name, body, isScoped, line }: StatementOf<'block'>, { symbols }: Place): void {
    if (this.#blocks.has(name)) {
      fail(`block '${name}' defined twice`, line);
    }
    this.#blocks.add(name);
    this.scope(body, isScoped ? symbols : undefined, (inner) => visitBody(body, inner));
  }

  /** Refuses filters and tests that are not known, where jinja2 does so before it renders. */
  #check(node: object, place: Place): void {
    const { type, name, line } = node as Partial<Expression> & { name?: string };
    if (type === 'constant') {
      return;
    }
    if (!place.isSoft && type === 'filter' && !this.#known.isFilter(name as string)) {
      fail(`No filter named '${name}'.`, line);
    }
    if (!place.isSoft && type === 'test' && !this.#known.isTest(name as string)) {
      fail(`No test named '${name}'.`, line);
    }
    const inner = type === 'condition' ? { ...place, isSoft: true } : place;
    for (const child of childrenOf(node)) {
      this.#check(child, inner);
    }
  }
}
