// Runs a template that is parsed.
import type { TemplateBudget } from '../base/budget.ts';
import { fail, TemplateError } from '../base/errors.ts';
import { applyFilter, isFilter } from '../filters/all-filters.ts';
import { applyTest, isTest } from '../filters/tests.ts';
import { attributeOf, itemOf } from '../methods/attributes.ts';
import { type Analysis, analyze, type Scope } from '../syntax/analysis.ts';
import type { Body, Expression, ExpressionOf } from '../syntax/nodes.ts';
import { Callable, Counter, type Named, typeName, Undefined, type Value } from '../values/types.ts';
import { argumentsOf, evaluateNode } from './expressions.ts';
import { Frame } from './frame.ts';
import { globals } from './globals.ts';
import { Output } from './output.ts';
import type { Runner } from './runner.ts';
import { runBody } from './statements.ts';

export class Interpreter implements Runner {
  readonly budget: TemplateBudget;
  readonly now: Date;
  readonly analysis: Analysis;
  readonly isFilter = isFilter;
  readonly isTest = isTest;
  readonly #body: Body;

  constructor(body: Body, now: Date, budget: TemplateBudget) {
    this.#body = body;
    this.now = now;
    this.budget = budget;
    this.analysis = analyze(body, { isFilter, isTest });
  }

  render(names: Iterable<readonly [string, Value]>): string {
    const context = new Map([...globals(this), ...names]);
    return this.textOfBody(this.#body, new Frame(this.scopeOf(this.#body), undefined, context));
  }

  scopeOf(part: object): Scope {
    return this.analysis.scopes.get(part) ?? new Map();
  }

  newOutput(): Output {
    return new Output(this.budget);
  }

  textOfBody(body: Body, frame: Frame): string {
    const output = this.newOutput();
    runBody(body, frame, output, this);
    return output.end();
  }

  evaluate(node: Expression, frame: Frame): Value {
    this.budget.step();
    return this.at(node.line, () => evaluateNode(node, frame, this));
  }

  at<T>(line: number, work: () => T): T {
    try {
      return this.budget.inside(work);
    } catch (error) {
      if (error instanceof TemplateError) {
        error.line ??= line;
      }
      throw error;
    }
  }

  call(callee: Value, args: readonly Value[], named: Named): Value {
    if (callee instanceof Callable) {
      return callee.call(args, named);
    }
    if (callee instanceof Undefined) {
      fail(callee.message);
    }
    const made = callee instanceof Counter ? callee.call(args, named) : undefined;
    return made === undefined ? fail(`'${typeName(callee)}' object is not callable`) : made;
  }

  attribute(object: Value, name: string): Value {
    return attributeOf(object, name, this);
  }

  item(object: Value, index: Value): Value {
    return itemOf(object, index, this);
  }

  filter(name: string, args: readonly Value[], named: Named): Value {
    this.budget.step();
    return applyFilter(name, args, named, this);
  }

  test(name: string, args: readonly Value[], named: Named): boolean {
    this.budget.step();
    return applyTest(name, args, named, this);
  }

  applyFilter(node: ExpressionOf<'filter'>, value: Value, frame: Frame): Value {
    const { args, named } = argumentsOf(node, frame, this);
    return this.filter(node.name, [value, ...args], named);
  }

  filtered(filter: Expression, text: string, frame: Frame): Value {
    if (filter.type !== 'filter') {
      return text;
    }
    const value = filter.operand ? this.filtered(filter.operand, text, frame) : text;
    return this.at(filter.line, () => this.applyFilter(filter, value, frame));
  }
}
