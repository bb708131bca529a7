// Which elements of a page readers can read. Some are hidden until a reader opens them: tabs, and panels of accordions.
import { isHeading, skippedElements } from './elements.ts';
import type { Attributes } from './page-facts.ts';

/** What is known of an element around another one. */
interface Around {
  readonly name: string;
  /** Whether it has an `aria-label`. */
  readonly isLabelled: boolean;
}

/** Elements that other elements open, by the ids that `aria-controls` states. */
const mostControlled = 65_536;

export class Visibility {
  readonly #controlled = new Set<string>();

  /** Whether the text of an element is left out. `path` has the names of the elements around it, the nearest last. */
  isSkipped(name: string, attributes: Attributes, path: readonly Around[]): boolean {
    this.#noteControlled(attributes);
    if (skippedElements.has(name)) {
      return !(name === 'button' && path.some((one) => isHeading(one.name)));
    }
    if ('data-ambry-ignore' in attributes) {
      return true;
    }
    if (name === 'nav' || attributes['role'] === 'navigation') {
      return true;
    }
    if ('hidden' in attributes) {
      return !this.#canBeOpened(attributes);
    }
    return attributes['aria-hidden'] === 'true' && !isTitleOfAside(path);
  }

  #noteControlled({ 'aria-controls': ids = '' }: Attributes): void {
    for (const id of ids.split(/\s+/)) {
      if (id !== '' && this.#controlled.size < mostControlled) {
        this.#controlled.add(id);
      }
    }
  }

  #canBeOpened({ hidden, role, id = '', ...rest }: Attributes): boolean {
    if (hidden?.toLowerCase() === 'until-found' || role === 'tabpanel') {
      return true;
    }
    return (role === 'region' && 'aria-labelledby' in rest) || this.#controlled.has(id);
  }
}

/** Starlight hides the title of an aside from screen readers, because the label of the aside says it to them. */
function isTitleOfAside(path: readonly Around[]): boolean {
  const above = path.at(-1);
  return above?.name === 'aside' && above.isLabelled;
}
