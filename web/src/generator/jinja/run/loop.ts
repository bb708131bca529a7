// The variable `loop`.

import type { TemplateBudget } from '../base/budget.ts';
import { fail } from '../base/errors.ts';
import { isEqual } from '../values/compare.ts';
import { iterate, sizeOf } from '../values/iterate.ts';
import {
  Callable,
  Counter,
  type Named,
  orElse,
  Tuple,
  Undefined,
  type Value,
} from '../values/types.ts';

type Recurse = (items: Value, depth: number) => string;

/** The items of a loop, and what a template may ask about them. */
export class Loop extends Counter {
  readonly typeName = 'LoopContext';
  readonly #items: Value;
  readonly #budget: TemplateBudget;
  readonly #recurse: Recurse | undefined;
  readonly #depth: number;
  #iterator: Iterator<Value>;
  #index = -1;
  #length: number | undefined;
  /** The item after this one, where it was asked for already. */
  #next: IteratorResult<Value> | undefined;
  #current: Value | undefined;
  #previous: Value | undefined;
  #last: Value | undefined;

  /** `depth` counts loops in recursive ones from 0. */
  constructor(items: Value, depth: number, recurse: Recurse | undefined, budget: TemplateBudget) {
    super();
    this.#items = items;
    this.#budget = budget;
    this.#depth = depth;
    this.#recurse = recurse;
    this.#iterator = iterate(items, budget)[Symbol.iterator]();
  }

  /** `undefined` at the end. */
  advance(): Value | undefined {
    const { value, done } = this.#next ?? this.#iterator.next();
    this.#next = undefined;
    if (done) {
      return undefined;
    }
    this.#index++;
    this.#previous = this.#current;
    this.#current = value;
    return value;
  }

  override get text(): string {
    return `<LoopContext ${this.#index + 1}/${this.#size()}>`;
  }

  override call(args: readonly Value[], named: Named): Value {
    const items = args[0] === undefined ? named.get('iterable') : args[0];
    if (!this.#recurse) {
      fail("The loop must have the 'recursive' marker to be called recursively.");
    }
    return items === undefined || args.length + named.size !== 1
      ? fail('loop() takes the items of the inner loop')
      : this.#recurse(items, this.#depth + 1);
  }

  attribute(name: string): Value | undefined {
    const read = Object.hasOwn(this.#attributes, name) ? this.#attributes[name] : undefined;
    return read?.();
  }

  readonly #attributes: Readonly<Record<string, () => Value>> = {
    index: () => BigInt(this.#index + 1),
    index0: () => BigInt(this.#index),
    revindex: () => BigInt(this.#size() - this.#index),
    revindex0: () => BigInt(this.#size() - this.#index - 1),
    first: () => this.#index === 0,
    last: () => this.#peek().done === true,
    length: () => BigInt(this.#size()),
    depth: () => BigInt(this.#depth + 1),
    depth0: () => BigInt(this.#depth),
    previtem: () =>
      this.#index === 0 || this.#previous === undefined
        ? new Undefined(() => 'there is no previous item')
        : this.#previous,
    nextitem: () => {
      const { value, done } = this.#peek();
      return done ? new Undefined(() => 'there is no next item') : value;
    },
    cycle: () => new Callable('cycle', (args) => this.#cycle(args)),
    changed: () => new Callable('changed', (args) => this.#changed(args)),
  };

  #peek(): IteratorResult<Value> {
    this.#next ??= this.#iterator.next();
    return this.#next;
  }

  /** An iteration has no size, so the rest of it is gone through. */
  #size(): number {
    this.#length ??= sizeOf(this.#items);
    if (this.#length === undefined) {
      const rest = [...{ [Symbol.iterator]: () => this.#iterator }];
      this.#iterator = rest.values();
      this.#length = rest.length + this.#index + 1 + (this.#next && !this.#next.done ? 1 : 0);
    }
    return this.#length;
  }

  #cycle(args: readonly Value[]): Value {
    return orElse(args[this.#index % args.length], () => fail('no items for cycling given'));
  }

  #changed(args: readonly Value[]): Value {
    const value = new Tuple(args);
    const isSame = this.#last !== undefined && isEqual(this.#last, value, this.#budget);
    this.#last = value;
    return !isSame;
  }
}
