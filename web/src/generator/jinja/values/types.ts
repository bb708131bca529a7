// The values of templates, which behave as Python's. Whole numbers are `bigint`, others are `number`; a text is a `string`
// whose characters are code points. Lists and dicts never change once they are made, as the sandbox forbids it.

export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly Value[]
  | Markup
  | Tuple
  | Dict
  | View
  | Range
  | Iteration
  | Undefined
  | Callable
  | Namespace
  | Counter;

export type Named = ReadonlyMap<string, Value>;

/** A text that `safe` or `escape` made. Texts that are joined to it are escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export class Tuple {
  readonly items: readonly Value[];
  /** The items that have names. */
  readonly names: readonly string[];

  constructor(items: readonly Value[], names: readonly string[] = []) {
    this.items = items;
    this.names = names;
  }
}

/** What a key is found by. Keys that are equal in Python have one. */
export type Key = string | number | bigint | null | object;

export class Dict {
  readonly entries = new Map<Key, readonly [key: Value, value: Value]>();
}

/** What `keys`, `values` and `items` of a dict give. */
export class View {
  readonly kind: 'keys' | 'values' | 'items';
  readonly dict: Dict;

  constructor(kind: View['kind'], dict: Dict) {
    this.kind = kind;
    this.dict = dict;
  }

  *[Symbol.iterator](): Generator<Value> {
    for (const [key, value] of this.dict.entries.values()) {
      yield this.kind === 'items' ? new Tuple([key, value]) : this.kind === 'keys' ? key : value;
    }
  }
}

export class Range {
  readonly start: bigint;
  readonly stop: bigint;
  readonly step: bigint;
  readonly length: number;

  constructor(start: bigint, stop: bigint, step: bigint) {
    this.start = start;
    this.stop = stop;
    this.step = step;
    const span = step > 0n ? stop - start : start - stop;
    const by = step > 0n ? step : -step;
    this.length = span > 0n ? Number((span + by - 1n) / by) : 0;
  }

  at(index: number): bigint {
    return this.start + BigInt(index) * this.step;
  }
}

/** A generator: its items come one by one, and only once. */
export class Iteration {
  readonly iterator: Iterator<Value>;
  /** What made it. */
  readonly name: string;

  constructor(name: string, iterator: Iterator<Value>) {
    this.name = name;
    this.iterator = iterator;
  }

  [Symbol.iterator](): Iterator<Value> {
    // Without `return`, a loop that ends early leaves the rest.
    return { next: () => this.iterator.next() };
  }
}

export class Undefined {
  readonly #message: () => string;
  /** Whether the sandbox hides what would be there. */
  readonly isUnsafe: boolean;

  constructor(message: () => string, isUnsafe = false) {
    this.#message = message;
    this.isUnsafe = isUnsafe;
  }

  get message(): string {
    return this.#message();
  }
}

export class Callable {
  readonly name: string;
  readonly call: (args: readonly Value[], named: Named) => Value;
  /** The text of a function, where Python's has no address in it. */
  readonly text: string | undefined;
  readonly attributes: ReadonlyMap<string, Value>;

  constructor(
    name: string,
    call: Callable['call'],
    text?: string,
    attributes: ReadonlyMap<string, Value> = new Map(),
  ) {
    this.name = name;
    this.call = call;
    this.text = text;
    this.attributes = attributes;
  }
}

/** What `namespace()` makes, the only value that changes. */
export class Namespace {
  readonly dict = new Dict();
}

/** An object with a state of its own, as `loop`, `cycler()` and `joiner()` are. */
export abstract class Counter {
  abstract readonly typeName: string;

  /** The text of the object, where Python's has no address in it. */
  get text(): string | undefined {
    return undefined;
  }

  abstract attribute(name: string): Value | undefined;

  call(_args: readonly Value[], _named: Named): Value | undefined {
    return undefined;
  }
}

/** The characters of a text. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') {
    return value;
  }
  return value instanceof Markup ? value.text : undefined;
}

const classNames: readonly (readonly [abstract new (...args: never[]) => object, string])[] = [
  [Markup, 'Markup'],
  [Tuple, 'tuple'],
  [Dict, 'dict'],
  [Range, 'range'],
  [Iteration, 'generator'],
  [Undefined, 'Undefined'],
  [Namespace, 'Namespace'],
  [Callable, 'function'],
];

/** Python's name of the type of a value, for messages. */
export function typeName(value: Value): string {
  if (value === null) {
    return 'NoneType';
  }
  if (typeof value !== 'object') {
    return { string: 'str', bigint: 'int', number: 'float', boolean: 'bool' }[
      typeof value as 'string' | 'bigint' | 'number' | 'boolean'
    ];
  }
  if (Array.isArray(value)) {
    return 'list';
  }
  if (value instanceof View) {
    return `dict_${value.kind}`;
  }
  if (value instanceof Counter) {
    return value.typeName;
  }
  return classNames.find(([type]) => value instanceof type)?.[1] ?? 'object';
}

/** `None` is a value that is found. */
export function orElse(found: Value | undefined, otherwise: () => Value): Value {
  return found === undefined ? otherwise() : found;
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** The number that a whole number or a bool is. */
export function wholeOf(value: Value): bigint | undefined {
  return typeof value === 'boolean' ? BigInt(value) : typeof value === 'bigint' ? value : undefined;
}
