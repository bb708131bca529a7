// Buttons that filter by the values of a facet, with counts. A button stays the same element while the query does, so that it
// keeps the focus.
import type { FacetCount, SiteAnswer } from '../client/base/types.ts';
import { make, setAttribute, setText } from './dom.ts';
import type { Phrases } from './strings.ts';

/** Values of a filter that are shown at first. */
const shownAtFirst = 8;

type Chosen = ReadonlyMap<string, ReadonlySet<string>>;

interface ValueButton {
  readonly element: HTMLButtonElement;
  readonly count: HTMLElement;
}

export class FiltersView {
  readonly element: HTMLElement = make('div', { class: 'filters', part: 'filters', role: 'group' });
  readonly #onToggle: (name: string, value: string) => void;
  readonly #onClear: () => void;
  readonly #rows = new Map<string, FilterRow>();
  #query = '';

  constructor(onToggle: (name: string, value: string) => void, onClear: () => void) {
    this.#onToggle = onToggle;
    this.#onClear = onClear;
  }

  show({ query, facets = {} }: SiteAnswer, chosen: Chosen, phrases: Phrases): void {
    if (query !== this.#query) {
      this.clear();
    }
    this.#query = query;
    for (const [name, counts] of Object.entries(facets)) {
      let row = this.#rows.get(name);
      if (!row) {
        row = new FilterRow(name, (value) => this.#onToggle(name, value));
        this.#rows.set(name, row);
        this.element.append(row.element);
      }
      row.show(counts, chosen.get(name) ?? new Set(), phrases);
    }
    this.#showClear(chosen.size > 0, phrases);
    setAttribute(this.element, 'aria-label', phrases.text('filters'));
    this.element.hidden = [...this.#rows.values()].every(({ isEmpty }) => isEmpty);
  }

  /** Forgets the buttons and their order. */
  clear(): void {
    this.#rows.clear();
    this.element.replaceChildren();
  }

  #showClear(isChosen: boolean, phrases: Phrases): void {
    const old = this.element.querySelector('.clear-filters');
    if (!isChosen) {
      old?.remove();
    } else if (!old) {
      const facts = { type: 'button', class: 'clear-filters link', part: 'clear-filters' };
      const button = make('button', facts, phrases.text('clearFilters'));
      button.addEventListener('click', this.#onClear);
      this.element.append(button);
    }
  }
}

class FilterRow {
  readonly element: HTMLElement;
  readonly #name: string;
  readonly #onToggle: (value: string) => void;
  readonly #label = make('span', { class: 'filter-name', part: 'filter-name' });
  readonly #more = make('button', { type: 'button', class: 'link', part: 'more-values' });
  readonly #buttons = new Map<string, ValueButton>();
  #isLong = false;
  #phrases: Phrases | undefined;

  constructor(name: string, onToggle: (value: string) => void) {
    this.#name = name;
    this.#onToggle = onToggle;
    this.element = make('div', { class: 'filter-row', role: 'group' }, this.#label, this.#more);
    this.#more.addEventListener('click', () => {
      this.#isLong = !this.#isLong;
      this.#fold();
    });
  }

  get isEmpty(): boolean {
    return this.#buttons.size === 0;
  }

  show(counts: readonly FacetCount[], chosen: ReadonlySet<string>, phrases: Phrases): void {
    this.#phrases = phrases;
    setText(this.#label, phrases.filterName(this.#name));
    this.element.setAttribute('aria-label', phrases.filterName(this.#name));
    const pages = new Map(counts.map(({ value, pages: count }) => [value, count]));
    for (const value of chosen) {
      if (!pages.has(value)) {
        pages.set(value, 0);
      }
    }
    for (const [value, count] of pages) {
      this.#showValue(value, count, chosen.has(value), phrases);
    }
    for (const [value, { element }] of this.#buttons) {
      if (pages.has(value) || element.matches(':focus')) {
        continue;
      }
      element.remove();
      this.#buttons.delete(value);
    }
    this.element.hidden = this.isEmpty;
    this.#fold();
  }

  #showValue(value: string, count: number, isChosen: boolean, phrases: Phrases): void {
    let button = this.#buttons.get(value);
    if (!button) {
      button = this.#makeButton(value, phrases);
      this.#buttons.set(value, button);
      this.#more.before(button.element);
    }
    setText(button.count, phrases.number(count));
    button.element.setAttribute('aria-pressed', String(isChosen));
    const shown = phrases.filterValue(this.#name, value);
    button.element.setAttribute('aria-label', phrases.count('filter', count, { value: shown }));
    setAttribute(button.element, 'part', isChosen ? 'filter filter-chosen' : 'filter');
  }

  #makeButton(value: string, phrases: Phrases): ValueButton {
    const count = make('span', { class: 'count', part: 'filter-count' });
    const shown = phrases.filterValue(this.#name, value);
    const element = make('button', { type: 'button', class: 'filter' }, shown, ' ', count);
    element.addEventListener('click', () => this.#onToggle(value));
    return { element, count };
  }

  /** Shows the first values, and those that are chosen. */
  #fold(): void {
    let left = 0;
    [...this.#buttons.values()].forEach(({ element }, i) => {
      const isChosen = element.getAttribute('aria-pressed') === 'true';
      element.hidden = !this.#isLong && i >= shownAtFirst && !isChosen;
      if (element.hidden) {
        left++;
      }
    });
    this.#more.hidden = left === 0 && !this.#isLong;
    const phrases = this.#phrases;
    if (!phrases) {
      return;
    }
    const text = this.#isLong
      ? phrases.text('fewerValues')
      : phrases.text('moreValues', { count: phrases.number(left) });
    setText(this.#more, text);
    this.#more.setAttribute('aria-expanded', String(this.#isLong));
  }
}
