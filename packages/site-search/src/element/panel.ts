// Opens and closes the panel, and keeps it at the field.
import { type Box, placePanel } from './placement.ts';

export class Panel {
  readonly #panel: HTMLElement;
  readonly #field: HTMLElement;
  readonly #onOutside: () => void;
  readonly #place = () => this.#placeSoon();
  readonly #press = (event: Event) => {
    if (!event.composedPath().includes(this.#field.getRootNode())) {
      this.#onOutside();
    }
  };
  #frame = 0;
  #isOpen = false;

  /** `onOutside` is called at a press anywhere else on the page. */
  constructor(panel: HTMLElement, field: HTMLElement, onOutside: () => void) {
    this.#panel = panel;
    this.#field = field;
    this.#onOutside = onOutside;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    if (this.#isOpen) {
      return;
    }
    this.#isOpen = true;
    this.#panel.classList.add('open');
    if (this.#panel.hasAttribute('popover')) {
      this.#panel.showPopover();
    }
    this.#placeNow();
    const options = { capture: true, passive: true };
    addEventListener('scroll', this.#place, options);
    addEventListener('resize', this.#place, options);
    window.visualViewport?.addEventListener('resize', this.#place);
    window.visualViewport?.addEventListener('scroll', this.#place);
    document.addEventListener('pointerdown', this.#press, true);
  }

  close(): void {
    if (!this.#isOpen) {
      return;
    }
    this.#isOpen = false;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#panel.classList.remove('open');
    if (this.#panel.isConnected && this.#panel.hasAttribute('popover')) {
      this.#panel.hidePopover();
    }
    removeEventListener('scroll', this.#place, true);
    removeEventListener('resize', this.#place, true);
    window.visualViewport?.removeEventListener('resize', this.#place);
    window.visualViewport?.removeEventListener('scroll', this.#place);
    document.removeEventListener('pointerdown', this.#press, true);
  }

  #placeSoon(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#placeNow();
    });
  }

  #placeNow(): void {
    const isRightToLeft = getComputedStyle(this.#field).direction === 'rtl';
    const height = document.documentElement.clientHeight;
    const field = this.#field.getBoundingClientRect();
    const { left, width, maxHeight, top, bottom } = placePanel(
      field,
      view(),
      height,
      isRightToLeft,
    );
    const { style } = this.#panel;
    style.left = `${left}px`;
    style.width = `${width}px`;
    style.maxHeight = `${maxHeight}px`;
    style.top = top === undefined ? 'auto' : `${top}px`;
    style.bottom = bottom === undefined ? 'auto' : `${bottom}px`;
  }
}

/** What the reader sees, without scroll bars and without the keyboard of a phone. */
function view(): Box {
  const { clientWidth, clientHeight } = document.documentElement;
  const seen = window.visualViewport;
  // On a page that is zoomed in, only the height is taken: the panel may be wider than the view.
  if (!seen) {
    return { top: 0, bottom: clientHeight, left: 0, right: clientWidth };
  }
  const bottom = Math.min(clientHeight, seen.offsetTop + seen.height);
  return { top: seen.offsetTop, bottom, left: 0, right: clientWidth };
}
