// What one rendering of a chat template may take. Templates come from files that nobody has checked. The limits are far
// above what templates for conversations need, and low enough that a page stays well.
import type { AmbryError } from '../../base/errors.ts';
import { limitExceeded, renderMs, timeLimit } from './template-limit.ts';

export const templateLimits = {
  /** Characters of the template. */
  template: 2 ** 18,
  /** Statements and expressions that run. */
  steps: 4_000_000,
  /** Items of all lists that are made, and of all lists that loops go through. */
  items: 2_000_000,
  /** Characters of one text, so of the prompt too. */
  text: 2 ** 22,
  /** Characters of all texts that are made. */
  characters: 2 ** 26,
  /** Characters of a text that is replaced. Engines make a regular expression of it, and have such a limit too. */
  replaced: 2 ** 16,
  /** Levels of lists and objects in each other, and of expressions, statements and calls. */
  levels: 500,
} as const;

/** How often the time is looked at, in steps. */
const stepsPerLook = 64;

/** What a value is as text. */
interface TextSize {
  readonly characters: number;
  readonly items: number;
  readonly levels: number;
}

export class TemplateBudget {
  readonly #end = performance.now() + renderMs;
  #steps = 0;
  #items = 0;
  #characters = 0;
  #level = 0;

  step(): void {
    if (++this.#steps > templateLimits.steps) {
      throw limitExceeded(`of ${templateLimits.steps} steps`);
    }
    if (this.#steps % stepsPerLook === 0 && performance.now() > this.#end) {
      throw limitExceeded(timeLimit);
    }
  }

  /** Runs what lies one level deeper. */
  inside<T>(work: () => T): T {
    if (++this.#level > templateLimits.levels) {
      throw levelsExceeded();
    }
    try {
      return work();
    } finally {
      this.#level--;
    }
  }

  /** Call it before a list of so many items is made. */
  checkItems(count: number): void {
    if (this.#items + count > templateLimits.items) {
      throw limitExceeded(`of ${templateLimits.items} items in lists`);
    }
  }

  takeItems(count: number): void {
    this.checkItems(count);
    this.#items += count;
  }

  /** Call it before a text grows to this length. */
  checkText(length: number): void {
    if (length > templateLimits.text) {
      throw limitExceeded(`of ${templateLimits.text} characters in one text`);
    }
  }

  checkReplaced(length: number): void {
    if (length > templateLimits.replaced) {
      throw limitExceeded(`of ${templateLimits.replaced} characters in a text that is replaced`);
    }
  }

  takeText(length: number): void {
    this.checkText(length);
    this.#characters += length;
    if (this.#characters > templateLimits.characters) {
      throw limitExceeded(`of ${templateLimits.characters} characters in all its texts`);
    }
  }

  /** The size of a list or object as text, before it becomes one. Lists may hold each other many times over, so that a
   *  short template has a text that no memory holds. `content` is the `value` of a value. */
  measure(content: unknown): TextSize {
    let [characters, items, levels] = [0, 0, 0];
    const open: [content: unknown, level: number][] = [[content, 1]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [inner, level] = next;
      items++;
      characters += 2 + (typeof inner === 'string' ? inner.length : 0);
      if (level > levels) {
        levels = level;
      }
      if (level > templateLimits.levels) {
        throw levelsExceeded();
      }
      for (const [key, { value }] of partsOf(inner)) {
        characters += 2 + key.length;
        open.push([value, level + 1]);
      }
      this.checkText(characters);
    }
    return { characters, items, levels };
  }
}

type Part = readonly [key: string, value: { readonly value: unknown }];

function partsOf(content: unknown): Iterable<Part> {
  if (content instanceof Map) {
    return content as Map<string, { value: unknown }>;
  }
  return Array.isArray(content) ? content.map((value): Part => ['', value]) : [];
}

export function levelsExceeded(): AmbryError {
  return limitExceeded(`of ${templateLimits.levels} levels of statements, lists and calls`);
}
