// The events that the element sends to a page.
import type { PageHit, SectionHit, SiteAnswer } from '../client/base/types.ts';

export interface SelectDetail {
  /** With the anchor of the section. */
  readonly url: string;
  readonly page: PageHit;
  /** Undefined if the page itself was chosen. */
  readonly section: SectionHit | undefined;
  /** Without Ctrl, Cmd and Shift, which open the result elsewhere. */
  readonly isPlain: boolean;
}

interface EventDetails {
  /** The panel opens, and closes. */
  open: undefined;
  close: undefined;
  /** There is an answer: the one by words, and later the one by words and meaning. */
  answer: SiteAnswer;
  /** An `AmbryError`, or the error of a script that does not load. */
  error: unknown;
  /** A result is opened. `preventDefault` leaves this to the page, for example to its router. */
  select: SelectDetail;
}

/** As a page names them. */
export type AmbrySearchEventMap = {
  [K in keyof EventDetails as `ambry-search-${K}`]: CustomEvent<EventDetails[K]>;
};

export class ElementEvents {
  readonly #target: EventTarget;

  constructor(target: EventTarget) {
    this.#target = target;
  }

  /** False if the page does what follows. */
  send<K extends keyof EventDetails>(name: K, detail: EventDetails[K]): boolean {
    const init = { detail, bubbles: true, composed: true, cancelable: name === 'select' };
    return this.#target.dispatchEvent(new CustomEvent(`ambry-search-${name}`, init));
  }
}
