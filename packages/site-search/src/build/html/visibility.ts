// Which elements of a page readers can read. Some are hidden until a reader opens them: tabs, and panels of accordions.
import { skippedElements } from './elements.ts';
import type { Attributes } from './page-facts.ts';

/** What is known of an element around another one. */
interface Around {
  readonly name: string;
  readonly isHeading: boolean;
  /** Whether it has an `aria-label`. */
  readonly isLabelled: boolean;
}

/** Elements that other elements open, by the ids that `aria-controls` states. */
const mostControlled = 65_536;
const controls = /\baria-controls\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
/** Attributes by which pages leave text out of this search, and of others. */
const leftOut = ['data-ambry-ignore', 'data-pagefind-ignore', 'data-search-exclude'];
/** Elements whose buttons are what is written there. */
const buttonHolders: ReadonlySet<string> = new Set(['dt', 'summary']);
/** Elements that may have a title that is hidden from screen readers, because their label says it. */
const labelled: ReadonlySet<string> = new Set(['aside', 'section', 'div']);

export class Visibility {
  readonly #controlled = new Set<string>();

  constructor(html: string) {
    for (const [, quoted, single, bare] of html.matchAll(controls)) {
      for (const id of (quoted ?? single ?? bare ?? '').split(/\s+/)) {
        if (id !== '' && this.#controlled.size < mostControlled) {
          this.#controlled.add(id);
        }
      }
    }
  }

  /** Whether the text of an element is left out. `path` has the elements around it, the nearest last. */
  isSkipped(name: string, attributes: Attributes, path: readonly Around[]): boolean {
    if (skippedElements.has(name)) {
      return !(name === 'button' && isRead(attributes, path));
    }
    if (leftOut.some((one) => one in attributes)) {
      return true;
    }
    if (name === 'nav' || attributes['role'] === 'navigation') {
      return true;
    }
    if ('hidden' in attributes) {
      return !this.#canBeOpened(attributes);
    }
    return attributes['aria-hidden'] === 'true' && !isTitle(path.at(-1));
  }

  #canBeOpened({ hidden, role, id = '', ...rest }: Attributes): boolean {
    if (hidden?.toLowerCase() === 'until-found' || role === 'tabpanel') {
      return true;
    }
    return (role === 'region' && 'aria-labelledby' in rest) || this.#controlled.has(id);
  }
}

/** Buttons that are a tab, or the title of a panel. */
function isRead(attributes: Attributes, path: readonly Around[]): boolean {
  if (
    attributes['role'] === 'tab' ||
    /^(collapse|tab|pill)$/.test(attributes['data-bs-toggle'] ?? '')
  ) {
    return true;
  }
  const opens = 'aria-expanded' in attributes && 'aria-controls' in attributes;
  if (opens && !('aria-haspopup' in attributes)) {
    return true;
  }
  return path.some(({ name, isHeading }) => isHeading || buttonHolders.has(name));
}

const isTitle = (above: Around | undefined): boolean =>
  above?.isLabelled === true && labelled.has(above.name);
