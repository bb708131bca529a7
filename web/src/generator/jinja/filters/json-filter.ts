// `tojson`, which writes as Python's `json.dumps` does. transformers lets it escape nothing, and keep the order of keys.
import { fail } from '../base/errors.ts';
import { textArgument, wholeArgument } from '../methods/arguments.ts';
import type { Machine } from '../methods/machine.ts';
import { sorted } from '../values/compare.ts';
import { floatRepr, wholeText } from '../values/float-text.ts';
import { isTrue, listOf } from '../values/iterate.ts';
import { Dict, isList, Tuple, textOf, typeName, type Value, View } from '../values/types.ts';
import { type Filters, filter } from './filter.ts';

type Args = readonly (Value | undefined)[];

class JsonWriter {
  text = '';
  readonly #machine: Machine;
  readonly #isAscii: boolean;
  /** One level of indent. Without one, all is in one line. */
  readonly #indent: string | undefined;
  readonly #betweenItems: string;
  readonly #afterKey: string;
  readonly #sortsKeys: boolean;
  #level = 0;

  constructor(
    [isAscii = false, indent = null, separators = null, sortKeys = false]: Args,
    machine: Machine,
  ) {
    this.#machine = machine;
    this.#isAscii = isTrue(isAscii);
    this.#sortsKeys = isTrue(sortKeys);
    this.#indent = indentOf(indent, machine);
    const [items, key] =
      separators === null
        ? [this.#indent === undefined ? ', ' : ',', ': ']
        : pairOf(separators, machine);
    [this.#betweenItems, this.#afterKey] = [textArgument(items), textArgument(key)];
  }

  write(value: Value): void {
    this.#machine.budget.step();
    const text = textOf(value);
    if (text !== undefined) {
      this.#add(this.#quoted(text));
    } else if (value === null || typeof value !== 'object') {
      this.#add(numberText(value));
    } else if (isList(value) || value instanceof Tuple) {
      const items = isList(value) ? value : value.items;
      this.#writeParts('[', items, ']', (item) => this.write(item));
    } else if (value instanceof Dict) {
      this.#writeParts('{', this.#itemsOf(value), '}', ({ items: [key, item] }) => {
        this.#add(this.#quoted(keyText(key as Value)) + this.#afterKey);
        this.write(item as Value);
      });
    } else {
      fail(`Object of type ${typeName(value)} is not JSON serializable`);
    }
  }

  #itemsOf(dict: Dict): readonly Tuple[] {
    const items = [...new View('items', dict)] as Tuple[];
    if (!this.#sortsKeys) {
      return items;
    }
    const key = (item: Value) => (item as Tuple).items[0] as Value;
    return sorted(items, key, false, this.#machine.budget) as Tuple[];
  }

  #add(text: string): void {
    this.#machine.budget.checkText(this.text.length + text.length);
    this.text += text;
  }

  #writeParts<T>(open: string, parts: readonly T[], close: string, write: (part: T) => void): void {
    if (parts.length === 0) {
      this.#add(open + close);
      return;
    }
    this.#machine.budget.inside(() => {
      this.#level++;
      parts.forEach((part, i) => {
        this.#add(i === 0 ? open : this.#betweenItems);
        this.#newLine();
        write(part);
      });
      this.#level--;
    });
    this.#newLine();
    this.#add(close);
  }

  #newLine(): void {
    if (this.#indent !== undefined) {
      this.#machine.budget.checkText(this.text.length + this.#indent.length * this.#level);
      this.#add(`\n${this.#indent.repeat(this.#level)}`);
    }
  }

  #quoted(text: string): string {
    this.#machine.budget.work(text.length);
    const quoted = JSON.stringify(text);
    // JavaScript writes halves of pairs as escapes, Python as they are, and both escape control characters alike.
    return this.#isAscii
      ? quoted.replace(
          /[^\0-\x7e]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
      : quoted.replace(/\\\\|\\u(d[89a-f][\da-f]{2})/g, (all, unit) =>
          unit === undefined ? all : String.fromCharCode(Number.parseInt(unit, 16)),
        );
  }
}

function indentOf(indent: Value, { budget }: Machine): string | undefined {
  const text = textOf(indent);
  if (text !== undefined || indent === null) {
    return text;
  }
  const count = Math.max(0, wholeArgument(indent));
  budget.takeText(count);
  return ' '.repeat(count);
}

function pairOf(separators: Value, { budget }: Machine): readonly [Value, Value] {
  const [items, key, ...more] = listOf(separators, budget);
  return items === undefined || key === undefined || more.length > 0
    ? fail('separators must be two texts')
    : [items, key];
}

function numberText(value: null | boolean | bigint | number | string): string {
  if (typeof value === 'number') {
    const special = Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
    return Number.isFinite(value) ? floatRepr(value) : special;
  }
  return value === null ? 'null' : typeof value === 'bigint' ? wholeText(value) : String(value);
}

function keyText(key: Value): string {
  const text = textOf(key);
  if (text !== undefined) {
    return text;
  }
  return key === null || typeof key !== 'object'
    ? numberText(key)
    : fail(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
}

export const jsonFilters: Filters = {
  tojson: filter('ensure_ascii? indent? separators? sort_keys?', (value, args, machine) => {
    const writer = new JsonWriter(args, machine);
    writer.write(value);
    machine.budget.takeText(writer.text.length);
    return writer.text;
  }),
};
