// Elements whose text is not for those who read the page: signs beside the text, links of headings to themselves, and what
// only screen readers say. Blocks are read even so, because whole pages lie in hidden ones while a dialog is open.
import { blockElements, tableParts, unkeptBlocks } from './elements.ts';
import type { HtmlScanner } from './html-scanner.ts';
import type { OpenElements } from './open-elements.ts';

/** Elements without content. Nothing would end them. */
const voidElements = new Set(
  'area base br col embed hr img image input keygen link meta param source track wbr'.split(' '),
);
const notInline = new Set('html head body main title plaintext'.split(' '));
const unreadClasses =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-(?:text|only)|headerlink|hash-link|sl-anchor-link|doc-anchor|anchorjs-link|heading-permalink)(?:\s|$)/i;
const lineNumbers = /(?:^|\s)line-?numbers?(?:-wrapper|-rows)?(?:\s|$)/i;

export function isUnread(name: string, scanner: HtmlScanner): boolean {
  if (voidElements.has(name)) {
    return false;
  }
  const isHidden = scanner.attribute('aria-hidden').trim().toLowerCase() === 'true';
  const classes = scanner.attribute('class');
  if (blockElements.has(name) || tableParts.has(name) || notInline.has(name)) {
    return name === 'div' && isHidden && lineNumbers.test(classes);
  }
  return isHidden || unreadClasses.test(classes);
}

/** Elements of any name are open under this one. */
const anyName = ' unread';

/** The element that is open and not read. Only blocks and elements of its own name are followed in it, which shows where it
 *  ends. */
export class UnreadElement {
  readonly #open: OpenElements;
  #index = -1;
  #name = '';
  /** Paragraphs in it that are open. */
  #paragraphs = 0;

  constructor(open: OpenElements) {
    this.#open = open;
  }

  get isOpen(): boolean {
    return this.#index >= 0;
  }

  open(name: string): void {
    this.#index = this.#open.length;
    this.#name = name;
    this.#paragraphs = 0;
    this.#open.push(anyName);
  }

  /** An element begins in it. */
  start(name: string): void {
    if (name === this.#name) {
      this.#open.push(anyName);
    } else if (name === 'p') {
      this.#paragraphs++;
    } else if (isFollowed(name)) {
      this.#open.push(name);
    }
  }

  /** An element ends in it or around it. */
  end(name: string): void {
    if (name === 'p' && this.#paragraphs-- === 0) {
      this.#open.cutTo(this.#index);
      return;
    }
    const index = this.#open.findInScope(name === this.#name ? anyName : name);
    if (index >= 0 && (name === this.#name || isFollowed(name))) {
      this.#open.cutTo(index);
    }
  }

  /** An element was closed. Returns whether it was this one or lay in it. */
  left(index: number): 'self' | 'inside' | 'other' {
    if (!this.isOpen) {
      return 'other';
    }
    if (index > this.#index) {
      return 'inside';
    }
    this.#index = -1;
    return 'self';
  }
}

function isFollowed(name: string): boolean {
  return (blockElements.has(name) && !unkeptBlocks.has(name)) || tableParts.has(name);
}
