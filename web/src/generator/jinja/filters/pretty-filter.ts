// `pprint`, which writes values over several lines as Python's `pprint.pformat` does, 80 characters wide.
import { fail, TemplateError } from '../base/errors.ts';
import type { Machine } from '../methods/machine.ts';
import { linesOf } from '../methods/text-cut.ts';
import { characterCount, spaceClass } from '../values/chars.ts';
import { order } from '../values/compare.ts';
import { hashOf } from '../values/keys.ts';
import { reprOf } from '../values/text.ts';
import { Dict, isList, Tuple, typeName, Undefined, type Value } from '../values/types.ts';
import { type Filters, filter } from './filter.ts';

const width = 80;
const words = new RegExp(`[^${spaceClass}]*[${spaceClass}]*`, 'g');

/** Where a value begins, and how many characters follow it in its last line. */
interface Place {
  readonly indent: number;
  readonly after: number;
}

/** The groups of `groupby` are tuples with a text of their own. */
const isPlainTuple = (value: Value): value is Tuple =>
  value instanceof Tuple && value.names.length === 0;

class PrettyWriter {
  text = '';
  readonly #machine: Machine;
  readonly #sorted = new Map<Value, Value>();
  #level = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  write(given: Value): void {
    this.#write(this.#inOrder(given), { indent: 0, after: 0 });
  }

  #write(value: Value, place: Place): void {
    this.#level++;
    const whole = this.#repr(value);
    if (characterCount(whole) <= width - place.indent - place.after) {
      this.#add(whole);
    } else if (isList(value)) {
      this.#writeItems('[', value, ']', place);
    } else if (isPlainTuple(value)) {
      this.#writeItems('(', value.items, value.items.length === 1 ? ',)' : ')', place);
    } else if (value instanceof Dict) {
      this.#writeDict(value, place);
    } else if (typeof value === 'string') {
      this.#writeText(value, place);
    } else {
      this.#add(whole);
    }
    this.#level--;
  }

  #writeItems(open: string, items: readonly Value[], close: string, { indent, after }: Place) {
    this.#add(open);
    items.forEach((item, i) => {
      const isLast = i === items.length - 1;
      this.#write(item, { indent: indent + 1, after: isLast ? after + close.length : 1 });
      this.#add(isLast ? '' : `,\n${' '.repeat(indent + 1)}`);
    });
    this.#add(close);
  }

  #writeDict({ entries }: Dict, { indent, after }: Place): void {
    this.#add('{');
    let left = entries.size;
    for (const [key, value] of entries.values()) {
      left--;
      const name = `${this.#repr(key)}: `;
      this.#add(name);
      const inner = indent + 1 + characterCount(name);
      this.#write(value, { indent: inner, after: left === 0 ? after + 1 : 1 });
      this.#add(left === 0 ? '' : `,\n${' '.repeat(indent + 1)}`);
    }
    this.#add('}');
  }

  /** A text that is too long becomes several, which Python joins. */
  #writeText(text: string, { indent, after }: Place): void {
    const isAlone = this.#level === 1;
    const room = width - indent - (isAlone ? 1 : 0);
    const parts = this.#textParts(text, room, after + (isAlone ? 1 : 0));
    this.#machine.budget.checkText(parts.length * indent);
    const made = parts.join(`\n${' '.repeat(indent + (isAlone ? 1 : 0))}`);
    this.#add(isAlone && parts.length > 1 ? `(${made})` : made);
  }

  #textParts(text: string, room: number, after: number): string[] {
    const lines = linesOf(text, true, this.#machine);
    return lines.flatMap((line, i) => {
      const inLast = i === lines.length - 1 ? room - after : room;
      const whole = this.#repr(line);
      return characterCount(whole) <= inLast ? [whole] : this.#lineParts(line, room, inLast);
    });
  }

  #lineParts(line: string, room: number, inLast: number): string[] {
    const { budget } = this.#machine;
    const parts: string[] = [];
    let current = '';
    const pieces = (line.match(words) ?? []).filter(Boolean);
    budget.takeItems(pieces.length);
    pieces.forEach((piece, i) => {
      const most = i === pieces.length - 1 ? inLast : room;
      if (characterCount(this.#repr(current + piece)) <= most) {
        current += piece;
        return;
      }
      if (current !== '') {
        parts.push(this.#repr(current));
      }
      current = piece;
    });
    return current === '' ? parts : [...parts, this.#repr(current)];
  }

  #repr(value: Value): string {
    return reprOf(value, this.#machine.budget);
  }

  #add(text: string): void {
    this.#machine.budget.checkText(this.text.length + text.length);
    this.text += text;
  }

  /** With the keys of dicts in order. */
  #inOrder(value: Value): Value {
    const { budget } = this.#machine;
    budget.step();
    if (!isList(value) && !(value instanceof Dict) && !isPlainTuple(value)) {
      return value;
    }
    const known = this.#sorted.get(value);
    const made = known ?? budget.inside(() => this.#partsInOrder(value));
    this.#sorted.set(value, made);
    return made;
  }

  #partsInOrder(value: readonly Value[] | Tuple | Dict): Value {
    const { budget } = this.#machine;
    if (!(value instanceof Dict)) {
      const items = value instanceof Tuple ? value.items : value;
      budget.takeItems(items.length);
      const made = items.map((item) => this.#inOrder(item));
      return value instanceof Tuple ? new Tuple(made) : made;
    }
    budget.takeItems(value.entries.size);
    const made = new Dict();
    const pairs = [...value.entries.values()].sort(([a], [b]) => this.#compare(a, b));
    for (const [key, item] of pairs) {
      made.entries.set(hashOf(key, budget), [this.#inOrder(key), this.#inOrder(item)]);
    }
    return made;
  }

  /** Keys that have no order are sorted by the names of their types. */
  #compare(a: Value, b: Value): number {
    try {
      return order(a, b, '<', this.#machine.budget);
    } catch (error) {
      const [x, y] = [typeName(a), typeName(b)];
      const hasUndefined = a instanceof Undefined || b instanceof Undefined;
      if (!(error instanceof TemplateError) || hasUndefined) {
        throw error;
      }
      return x < y ? -1 : x > y ? 1 : fail('keys without an order are not supported by pprint');
    }
  }
}

export const prettyFilters: Filters = {
  pprint: filter('', (value, _, machine) => {
    const writer = new PrettyWriter(machine);
    writer.write(value);
    machine.budget.takeText(writer.text.length);
    return writer.text;
  }),
};
