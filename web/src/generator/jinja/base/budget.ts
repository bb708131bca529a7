// Counts what one rendering takes, and ends it at a limit.
import { levelsExceeded, limitExceeded, renderMs, templateLimits, timeLimit } from './limits.ts';

/** How often the time is looked at, in steps. */
const stepsPerLook = 64;
/** So many characters or items are gone through in about the time of a step. */
const charactersPerStep = 256;

export class TemplateBudget {
  readonly #end = performance.now() + renderMs;
  #steps = 0;
  #nextLook = stepsPerLook;
  #items = 0;
  #characters = 0;
  #level = 0;

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > templateLimits.steps) {
      throw limitExceeded(`of ${templateLimits.steps} steps`);
    }
    if (this.#steps >= this.#nextLook) {
      this.#nextLook = this.#steps + stepsPerLook;
      if (performance.now() > this.#end) {
        throw limitExceeded(timeLimit);
      }
    }
  }

  /** Call it before something goes through a text or list of this length. */
  work(length: number): void {
    this.step(1 + Math.floor(length / charactersPerStep));
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

  /** Call it before a list of so many items is made or gone through. */
  takeItems(count: number): void {
    this.#items += count;
    if (this.#items > templateLimits.items) {
      throw limitExceeded(`of ${templateLimits.items} items in lists`);
    }
    this.work(count);
  }

  /** Call it before a text grows to this length. */
  checkText(length: number): void {
    if (length > templateLimits.text) {
      throw limitExceeded(`of ${templateLimits.text} characters in one text`);
    }
  }

  /** Call it before a text of this length is made. */
  takeText(length: number): void {
    this.checkText(length);
    this.#characters += length;
    if (this.#characters > templateLimits.characters) {
      throw limitExceeded(`of ${templateLimits.characters} characters in all its texts`);
    }
    this.work(length);
  }
}
