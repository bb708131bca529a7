// What a page says about itself: its title, its language, its address, its filters.
import { limits } from '../../shared/limits.ts';

export type Attributes = Readonly<Record<string, string>>;

/** The filters of a page by name, with their values. */
export type Filters = Map<string, Set<string>>;

/** The text of an element that becomes the value of a filter. */
export interface FilterCapture {
  readonly name: string;
  text: string;
}

/** Another page within a minute: `0; url=/new/`, and also `0;/new/`. */
const refreshTo = /^\s*[1-5]?\d?(?:\.\d*)?\s*(?:[;,]\s*(?=\S)|url\s*=)/i;

export class PageFacts {
  title = '';
  description = '';
  language = '';
  canonical = '';
  isHidden = false;
  /** Whether it only leads to another page. */
  isRedirect = false;
  readonly filters: Filters = new Map();
  #filterCount = 0;

  /** Reads an element of the head, and the filters of any element. Returns filters whose values are the element's text. */
  read(name: string, attributes: Attributes): FilterCapture[] {
    if (name === 'html') {
      this.language ||= attributes['lang'] || attributes['xml:lang'] || '';
    }
    if (name === 'meta') {
      this.#readMeta(attributes);
    }
    if (name === 'link' && /(^|\s)canonical(\s|$)/i.test(attributes['rel'] ?? '')) {
      this.canonical ||= attributes['href'] ?? '';
    }
    const stated = attributes['data-ambry-filter'];
    if (stated === undefined) {
      return [];
    }
    const captures: FilterCapture[] = [];
    for (const item of stated.split(',')) {
      const [filter = '', ...value] = item.split(':');
      if (value.length > 0) {
        this.addFilter(filter, value.join(':'));
      } else if (name === 'meta') {
        this.addFilter(filter, attributes['content'] ?? '');
      } else {
        captures.push({ name: filter, text: '' });
      }
    }
    return captures;
  }

  addFilter(name: string, value: string): void {
    const [key, item] = [shortened(name), shortened(value)];
    if (key === '' || item === '' || this.#filterCount >= limits.pageFilters) {
      return;
    }
    this.#filterCount++;
    const values = this.filters.get(key) ?? new Set();
    this.filters.set(key, values.add(item));
  }

  #readMeta({ name = '', content = '', 'http-equiv': header = '' }: Attributes): void {
    const meta = name.toLowerCase();
    if (header.toLowerCase() === 'refresh' && refreshTo.test(content)) {
      this.isRedirect = true;
    }
    if (meta === 'description') {
      this.description ||= shortened(content);
    }
    if (meta === 'robots' && /(^|[\s,])(noindex|none)([\s,]|$)/i.test(content)) {
      this.isHidden = true;
    }
  }
}

/** One line of a bounded length. */
export function shortened(text: string): string {
  const line = text
    .slice(0, 4 * limits.nameLength)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > limits.nameLength ? `${line.slice(0, limits.nameLength - 1)}…` : line;
}
