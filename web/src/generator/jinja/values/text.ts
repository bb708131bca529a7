// `str()` and `repr()` of values.
import type { TemplateBudget } from '../base/budget.ts';
import { fail } from '../base/errors.ts';
import { floatRepr, wholeText } from './float-text.ts';
import {
  Callable,
  Counter,
  Dict,
  Iteration,
  isList,
  Markup,
  Namespace,
  Range,
  Tuple,
  typeName,
  Undefined,
  type Value,
  View,
} from './types.ts';

export function strOf(value: Value, budget: TemplateBudget): string {
  if (typeof value === 'string') {
    return value;
  }
  if (value instanceof Markup) {
    return value.text;
  }
  return value instanceof Undefined ? '' : reprOf(value, budget);
}

export function reprOf(value: Value, budget: TemplateBudget): string {
  const writer = new ReprWriter(budget);
  writer.write(value);
  budget.takeText(writer.text.length);
  return writer.text;
}

/** Lists may hold each other many times over, so that a short template has a text that no memory holds. The length is
 *  checked while it grows. */
class ReprWriter {
  text = '';
  readonly #budget: TemplateBudget;
  readonly #open = new Set<Namespace>();

  constructor(budget: TemplateBudget) {
    this.#budget = budget;
  }

  write(value: Value): void {
    this.#budget.step();
    const simple = simpleRepr(value);
    if (simple !== undefined) {
      this.#add(simple);
      return;
    }
    this.#budget.inside(() => this.#writeParts(value));
  }

  #add(text: string): void {
    this.#budget.checkText(this.text.length + text.length);
    this.text += text;
  }

  #writeParts(value: Value): void {
    if (isList(value)) {
      this.#writeItems('[', value, ']');
    } else if (value instanceof Tuple) {
      this.#writeItems('(', value.items, value.items.length === 1 ? ',)' : ')');
    } else if (value instanceof Dict) {
      this.#writeDict(value);
    } else if (value instanceof View) {
      this.#writeItems(`dict_${value.kind}([`, value, '])');
    } else if (value instanceof Namespace) {
      this.#writeNamespace(value);
    } else {
      fail(
        `a ${typeName(value)} has no text${value instanceof Iteration ? '; make a list of it first' : ''}`,
      );
    }
  }

  #writeItems(begin: string, items: Iterable<Value>, end: string): void {
    let before = begin;
    for (const item of items) {
      this.#add(before);
      this.write(item);
      before = ', ';
    }
    this.#add(before === begin ? begin + end : end);
  }

  #writeDict({ entries }: Dict): void {
    let before = '{';
    for (const [key, value] of entries.values()) {
      this.#add(before);
      this.write(key);
      this.#add(': ');
      this.write(value);
      before = ', ';
    }
    this.#add(entries.size === 0 ? '{}' : '}');
  }

  /** A namespace may hold itself, and nothing else can. */
  #writeNamespace(namespace: Namespace): void {
    this.#add('<Namespace ');
    if (this.#open.has(namespace)) {
      this.#add('{...}');
    } else {
      this.#open.add(namespace);
      this.#writeDict(namespace.dict);
      this.#open.delete(namespace);
    }
    this.#add('>');
  }
}

function simpleRepr(value: Value): string | undefined {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'bigint':
      return wholeText(value);
    case 'number':
      return floatRepr(value);
    case 'boolean':
      return value ? 'True' : 'False';
  }
  if (value === null) {
    return 'None';
  }
  if (value instanceof Markup) {
    return `Markup(${quoted(value.text)})`;
  }
  if (value instanceof Undefined) {
    return 'Undefined';
  }
  if (value instanceof Range) {
    const by = value.step === 1n ? '' : `, ${value.step}`;
    return `range(${value.start}, ${value.stop}${by})`;
  }
  return value instanceof Callable || value instanceof Counter ? value.text : undefined;
}

/** Characters that Python's `repr` does not show as they are. */
const hidden = /[\p{C}\p{Z}\\'"]/u;
const names: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
};

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  if (!hidden.test(text)) {
    return quote + text + quote;
  }
  let inner = '';
  for (const character of text) {
    inner += hidden.test(character) ? shown(character, quote) : character;
  }
  return quote + inner + quote;
}

function shown(character: string, quote: string): string {
  if (character === ' ' || character === '"' || character === "'") {
    return character === quote ? `\\${character}` : character;
  }
  const code = character.codePointAt(0) as number;
  const hex = (length: number) => code.toString(16).padStart(length, '0');
  return (
    names[character] ??
    (code < 0x100 ? `\\x${hex(2)}` : code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`)
  );
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};

/** A text for HTML. What is markup already stays. */
export function escaped(value: Value, budget: TemplateBudget): Markup {
  if (value instanceof Markup) {
    return value;
  }
  const text = strOf(value, budget);
  let grown = text.length;
  for (const character of text) {
    grown += (escapes[character]?.length ?? 1) - 1;
  }
  budget.takeText(grown);
  return new Markup(text.replace(/[&<>'"]/g, (character) => escapes[character] ?? ''));
}
