// The text that a template has written so far.
import type { TemplateBudget } from '../base/budget.ts';

export class Output {
  readonly #budget: TemplateBudget;
  #text = '';

  constructor(budget: TemplateBudget) {
    this.#budget = budget;
  }

  add(text: string): void {
    this.#budget.checkText(this.#text.length + text.length);
    this.#text += text;
  }

  end(): string {
    this.#budget.takeText(this.#text.length);
    return this.#text;
  }
}
