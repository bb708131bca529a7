// A long list shows its first entries and a button for the others, so that what comes after it stays near. The page scrolls,
// and nothing inside it.

import { formatCount } from '../base/format.ts';
import { button, element } from './dom.ts';

interface ListFoldOptions {
  /** So many entries are shown at first. */
  readonly first: number;
  /** So many more come with each press: by default 500, which are drawn within a moment. */
  readonly part?: number;
  /** What the entries are: "documents". */
  readonly noun: string;
  /** Shows the list again. */
  readonly render: () => void;
}

const usualPart = 500;
/** A button is not worth the place of so few entries. */
const slack = 2;

export class ListFold {
  readonly #options: ListFoldOptions;
  readonly #button: HTMLButtonElement;
  #shown: number;
  #count = 0;

  /** Puts `list` into a box, with the button below it. */
  constructor(list: Element, options: ListFoldOptions) {
    this.#options = options;
    this.#shown = options.first;
    this.#button = button('', 'quiet list-fold', () => this.#press());
    this.#button.hidden = true;
    const box = element('div', 'list-box');
    list.replaceWith(box);
    box.append(list, this.#button);
  }

  /** The entries that are shown. Those that `stays` names are always among them. */
  take<T>(entries: readonly T[], stays: (entry: T) => boolean = () => false): readonly T[] {
    const { first } = this.#options;
    this.#count = entries.length;
    const isShort = entries.length <= first + slack;
    const shown = isShort ? entries.length : this.#shown;
    this.#button.hidden = isShort;
    this.#button.textContent = this.#label();
    this.#button.classList.toggle('unfolded', shown > first);
    return entries.filter((entry, at) => at < shown || stays(entry));
  }

  /** Shows the first entries only, for a new list. */
  close(): void {
    this.#shown = this.#options.first;
  }

  #label(): string {
    const { first, part = usualPart, noun } = this.#options;
    const left = this.#count - this.#shown;
    if (left <= 0) {
      return `Show the first ${formatCount(first)} only`;
    }
    return left <= part
      ? `Show all ${formatCount(this.#count)} ${noun}`
      : `Show ${formatCount(part)} more of ${formatCount(this.#count)} ${noun}`;
  }

  #press(): void {
    const { first, part = usualPart, render } = this.#options;
    this.#shown = this.#shown >= this.#count ? first : this.#shown + part;
    render();
    // The button has the focus still, and may be far from where it was.
    this.#button.scrollIntoView({ block: 'nearest' });
  }
}
