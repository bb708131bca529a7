// The interpreter of templates, with a budget. Every step is counted, and what would make a long text or list is checked
// before it is made. What a template within the budget gives is what the library gives.
import { Environment, Interpreter } from '@huggingface/jinja';
import type { TemplateBudget } from './worker-template-budget.ts';
import { environmentOf, type Value } from './worker-template-environment.ts';
import { checkReplace, checkSplit, growths } from './worker-template-growth.ts';

/** A node of the parsed template. The library does not export its types of nodes. */
interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Call extends Node {
  readonly callee: Node & { readonly value: string };
  readonly args: readonly Node[];
}

/** What the library's interpreter is made of. Its types keep all but `evaluate` to themselves. */
interface OpenInterpreter {
  readonly global: Environment;
  evaluate(node: Node | undefined, environment: Environment): Value;
  evaluateBlock(nodes: readonly Node[], environment: Environment): Value;
  evaluateFor(node: Node, environment: Environment): Value;
  evaluateArguments(
    args: readonly Node[],
    environment: Environment,
  ): [Value[], ReadonlyMap<string, Value>];
  evaluateBinaryExpression(node: Node, environment: Environment): Value;
  evaluateMemberExpression(node: Node, environment: Environment): Value;
  applyFilter(operand: Value, filter: Node, environment: Environment): Value;
}

const LibraryInterpreter = Interpreter as unknown as new (
  environment: Environment,
) => OpenInterpreter;
const StringValue = new Environment().set('text', '').constructor as new (text: string) => Value;

/** These make texts or lists. Others give what is there already. */
const makers = new Set([
  'ArrayLiteral',
  'BinaryExpression',
  'CallExpression',
  'CallStatement',
  'FilterExpression',
  'FilterStatement',
  'For',
  'TupleLiteral',
]);

/** Operators that make a text of a list whose partner is no list. */
const coercing = new Set(['+', '==', '!=']);

export class BoundedInterpreter extends LibraryInterpreter {
  readonly #budget: TemplateBudget;
  /** Texts whose functions check their arguments. */
  readonly #guarded = new WeakSet<Value>();
  /** Nodes that loops go through. */
  readonly #iterables = new WeakSet<Node>();

  constructor(budget: TemplateBudget, names: Readonly<Record<string, unknown>>) {
    super(environmentOf(budget, names));
    this.#budget = budget;
  }

  render(program: Node): string {
    return this.evaluate(program, this.global).value as string;
  }

  override evaluate(node: Node | undefined, environment: Environment): Value {
    if (node?.type === 'Known') {
      return node['value'] as Value;
    }
    if (!node) {
      return super.evaluate(node, environment);
    }
    this.#budget.step();
    const value = this.#budget.inside(() => super.evaluate(node, environment));
    if (makers.has(node.type) || this.#iterables.has(node)) {
      this.#take(value);
    }
    return value;
  }

  override evaluateFor(node: Node, environment: Environment): Value {
    const iterable = node['iterable'] as Node;
    // The library makes a list of its own of all items before the first one runs.
    this.#iterables.add(
      iterable.type === 'SelectExpression' ? (iterable['lhs'] as Node) : iterable,
    );
    return super.evaluateFor(node, environment);
  }

  override evaluateBlock(nodes: readonly Node[], environment: Environment): Value {
    this.#budget.step();
    let text = '';
    for (const node of nodes) {
      const value = this.evaluate(node, environment);
      if (value.type === 'NullValue' || value.type === 'UndefinedValue') {
        continue;
      }
      this.#checkAsText(value);
      text += value.toString();
      this.#budget.checkText(text.length);
    }
    this.#budget.takeText(text.length);
    return new StringValue(text);
  }

  override evaluateBinaryExpression(node: Node, environment: Environment): Value {
    const { value: operator } = node['operator'] as { value: string };
    if (operator === 'and' || operator === 'or') {
      return super.evaluateBinaryExpression(node, environment);
    }
    const left = this.evaluate(node['left'] as Node, environment);
    const right = this.evaluate(node['right'] as Node, environment);
    const isOfLists = Array.isArray(left.value) && Array.isArray(right.value);
    if (operator === '~' || (coercing.has(operator) && !isOfLists)) {
      this.#checkAsText(left);
      this.#checkAsText(right);
    }
    const known = { ...node, left: knownNode(left), right: knownNode(right) };
    return super.evaluateBinaryExpression(known, environment);
  }

  override evaluateMemberExpression(node: Node, environment: Environment): Value {
    const object = this.evaluate(node['object'] as Node, environment);
    const known = { ...node, object: knownNode(object) };
    const member = super.evaluateMemberExpression(known, environment);
    if ((node['property'] as Node).type === 'SliceExpression') {
      this.#take(member);
    } else if (typeof object.value === 'string' && typeof member.value === 'function') {
      this.#guard(object);
    }
    return member;
  }

  override applyFilter(operand: Value, filter: Node, environment: Environment): Value {
    const call = filter.type === 'CallExpression' ? (filter as Call) : undefined;
    const name = call ? call.callee.value : filter['value'];
    if (name === 'tojson' || name === 'join' || name === 'string') {
      this.#checkAsText(operand);
    }
    if (name === 'replace' && typeof operand.value === 'string') {
      this.#guard(operand);
    }
    if (!call || (name !== 'tojson' && name !== 'join' && name !== 'indent')) {
      return super.applyFilter(operand, filter, environment);
    }
    const [args, named] = this.evaluateArguments(call.args, environment);
    const { characters, items, levels } = this.#budget.measure(operand.value);
    const more = growths[name]({ operand: operand.value, args, named, items, levels });
    this.#budget.checkText(characters + more);
    const keywords = [...named].map(([key, value]) => ({
      type: 'KeywordArgumentExpression',
      key: { value: key },
      value: knownNode(value),
    }));
    const known = { ...call, args: [...args.map(knownNode), ...keywords] };
    return super.applyFilter(operand, known, environment);
  }

  /** Counts a value that was made. The first item of an empty list is undefined. */
  #take(made: Value | undefined): void {
    const value = made?.value;
    if (typeof value === 'string') {
      this.#budget.takeText(value.length);
    } else if (Array.isArray(value)) {
      this.#budget.takeItems(value.length);
    }
  }

  #checkAsText({ value }: Value): void {
    if (typeof value === 'object' && value !== null) {
      this.#budget.measure(value);
    }
  }

  /** Has the functions of a text that make much check their arguments. */
  #guard(text: Value): void {
    if (this.#guarded.has(text)) {
      return;
    }
    this.#guarded.add(text);
    const whole = text.value as string;
    const guards = { replace: checkReplace, split: checkSplit };
    for (const [name, check] of Object.entries(guards)) {
      const member = text.builtins.get(name) as {
        value: (args: Value[], scope: Environment) => Value;
      };
      const original = member.value;
      member.value = (args, scope) => {
        check(whole, args, this.#budget);
        return original(args, scope);
      };
    }
  }
}

/** A node whose value is known. */
function knownNode(value: Value): Node {
  return { type: 'Known', value };
}
