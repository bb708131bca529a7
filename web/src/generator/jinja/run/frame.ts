// The names that a part of a template has while it runs.
import type { Scope } from '../syntax/analysis.ts';
import type { Value } from '../values/types.ts';

/** Names that the template is given, and what it sets at its top. */
type Context = Map<string, Value>;

export class Frame {
  readonly #values = new Map<string, Value | undefined>();
  readonly #parent: Frame | undefined;
  readonly context: Context;

  /** `scope` says what each name of the part is at its beginning. */
  constructor(scope: Scope, parent: Frame | undefined, context: Context) {
    this.#parent = parent;
    this.context = context;
    for (const [name, load] of scope) {
      const value =
        load === 'outer' ? parent?.get(name) : load === 'context' ? context.get(name) : undefined;
      this.#values.set(name, value);
    }
  }

  get isTop(): boolean {
    return this.#parent === undefined;
  }

  /** `undefined` for a name that has no value. */
  get(name: string): Value | undefined {
    for (let frame: Frame | undefined = this; frame; frame = frame.#parent) {
      if (frame.#values.has(name)) {
        return frame.#values.get(name);
      }
    }
    return this.context.get(name);
  }

  set(name: string, value: Value | undefined): void {
    this.#values.set(name, value);
    if (this.isTop && value !== undefined) {
      this.context.set(name, value);
    }
  }
}
