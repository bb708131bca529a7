// The element `<ambry-search>`.
import { type AmbrySearchEventMap, ElementEvents } from './events.ts';
import { isHotkey } from './hotkey.ts';
import { SearchBox } from './search-box.ts';
import { attributeNames, type Settings, settingsOf } from './settings.ts';
import { Phrases, type SearchStrings } from './strings.ts';
import { addStyle } from './styles.ts';

/** Programs that make pages import the class in Node, where there are no elements. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/**
 * A field with a panel of results, which searches an index of `buildSiteIndex`. Its attributes are in the README.
 *
 * It sends `ambry-search-open`, `-close`, `-answer`, `-error` and `-select` (`AmbrySearchEventMap`).
 */
export class AmbrySearch extends Base {
  /** The folder of the index for elements without the attribute `src`. The script in that folder sets it. */
  static defaultSrc: string | undefined;
  static readonly observedAttributes: readonly string[] = attributeNames;

  readonly #box: SearchBox | undefined;
  #strings: Partial<SearchStrings> = {};
  #isListening: AbortController | undefined;

  constructor() {
    super();
    if (!globalThis.HTMLElement) {
      return;
    }
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    addStyle(root);
    this.#box = new SearchBox(new ElementEvents(this));
    root.append(this.#box.view.root);
  }

  /** The text in the field. A new one is searched at once. */
  get value(): string {
    return this.#box?.value ?? '';
  }

  set value(text: string) {
    if (this.#box) {
      this.#box.value = text;
    }
  }

  /** Texts in the place of the English ones. The attributes `strings`, `label` and `placeholder` are above them. */
  get strings(): Partial<SearchStrings> {
    return this.#strings;
  }

  set strings(strings: Partial<SearchStrings>) {
    this.#strings = strings;
    this.#update();
  }

  /** Shows the results of the text in the field. */
  open(): void {
    this.#box?.open();
  }

  close(): void {
    this.#box?.close();
  }

  /** @internal */
  connectedCallback(): void {
    const listening = new AbortController();
    const { signal } = listening;
    this.#isListening = listening;
    this.#update();
    addEventListener('keydown', (event) => this.#heed(event), { signal });
    addEventListener('online', () => this.#box?.retry(), { signal });
  }

  /** @internal */
  disconnectedCallback(): void {
    this.#isListening?.abort();
    this.#isListening = undefined;
    this.#box?.release();
  }

  /** @internal */
  attributeChangedCallback(): void {
    this.#update();
  }

  #update(): void {
    if (!this.#isListening) {
      return;
    }
    const settings = this.#settings();
    const strings = { ...this.#strings, ...settings.strings };
    const phrases = new Phrases(strings, languageAt(this));
    this.#box?.set(settings, phrases, this.getAttribute('strings'));
  }

  #settings(): Settings {
    return settingsOf(this, (this.constructor as typeof AmbrySearch).defaultSrc);
  }

  #heed(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.defaultPrevented) {
      this.close();
    }
    if (!isHotkey(event, this.#settings().hotkeys) || !isShown(this)) {
      return;
    }
    event.preventDefault();
    this.focus();
    this.#box?.view.input.select();
  }
}

/** The language of the page around the element. */
function languageAt(element: Element): string | undefined {
  for (let at: Element | null = element; at; ) {
    const found: Element | null = at.closest('[lang]');
    if (found) {
      return found.getAttribute('lang') || undefined;
    }
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return undefined;
}

/** A page may have one field for phones and one for others. */
function isShown(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}

declare global {
  interface HTMLElementTagNameMap {
    'ambry-search': AmbrySearch;
  }
  interface HTMLElementEventMap extends AmbrySearchEventMap {}
}
