// A button with a menu of further buttons.

import { closeWhenLeft } from './close-menus.ts';
import { button, element } from './dom.ts';

export class ButtonMenu {
  readonly element: HTMLElement;
  readonly #opener: HTMLButtonElement;
  readonly #list = element('div', 'menu-list');

  constructor(name: string) {
    this.#opener = button(name, 'quiet menu-opener', () => this.#show(this.#list.hidden === true));
    this.element = element('div', 'button-menu', this.#opener, this.#list);
    this.#list.setAttribute('role', 'group');
    this.#list.setAttribute('aria-label', name);
    this.#show(false);
    const menu = {
      element: this.element,
      opener: this.#opener,
      close: () => this.#show(false),
    };
    closeWhenLeft(() => (this.#list.hidden ? [] : [menu]));
  }

  /** Adds an entry. The menu is closed before it acts. */
  add(label: string, act: () => void): HTMLButtonElement {
    const entry = button(label, 'quiet', () => {
      this.#leave();
      act();
    });
    this.#list.append(entry);
    return entry;
  }

  #show(shown: boolean): void {
    this.#list.hidden = !shown;
    this.#opener.setAttribute('aria-expanded', String(shown));
  }

  #leave(): void {
    this.#opener.focus({ preventScroll: true });
    this.#show(false);
  }
}
