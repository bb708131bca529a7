// Closes menus. Escape closes one from everywhere, and so does a press or the focus elsewhere.

export interface OpenMenu {
  readonly element: HTMLElement;
  /** What opened it. The focus goes there when Escape closes the menu. */
  readonly opener: HTMLElement | null;
  close(): void;
}

/** `menusOf` gives the menus that are open. */
export function closeWhenLeft(menusOf: () => readonly OpenMenu[]): void {
  const closeOthers = ({ target }: Event): void => {
    for (const { element, close } of menusOf()) {
      if (!element.contains(target as Node)) {
        close();
      }
    }
  };
  const closeByKey = (event: KeyboardEvent): void => {
    const [menu] = event.key === 'Escape' ? menusOf() : [];
    if (menu) {
      menu.close();
      menu.opener?.focus({ preventScroll: true });
      // The key closes nothing else.
      event.stopImmediatePropagation();
    }
  };
  addEventListener('pointerdown', closeOthers);
  addEventListener('focusin', closeOthers);
  addEventListener('keydown', closeByKey, true);
}
