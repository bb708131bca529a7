// Folds whose content drops down over the page (styles/menu.css). Escape, a press beside them, or the focus elsewhere closes them.

const openMenus = (): HTMLDetailsElement[] => [
  ...document.querySelectorAll<HTMLDetailsElement>('details.menu[open]'),
];

function closeOthers(target: EventTarget | null): void {
  for (const menu of openMenus()) {
    if (target instanceof Node && !menu.contains(target)) {
      menu.open = false;
    }
  }
}

function closeByKey(event: KeyboardEvent): void {
  const [menu] = openMenus();
  if (event.key === 'Escape' && menu !== undefined) {
    const summary = menu.querySelector('summary');
    const within = menu.contains(document.activeElement);
    menu.open = false;
    if (within) {
      summary?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

export function mountMenuFolds(): void {
  addEventListener('pointerdown', ({ target }) => closeOthers(target));
  addEventListener('focusin', ({ target }) => closeOthers(target));
  addEventListener('keydown', closeByKey, { capture: true });
}
