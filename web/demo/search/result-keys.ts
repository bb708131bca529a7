// Walking through the results with the keyboard. One result is a tab stop; the arrows move it.

function move(items: readonly HTMLElement[], to: number): void {
  const target = items[Math.min(items.length - 1, Math.max(0, to))];
  for (const item of items) {
    item.tabIndex = item === target ? 0 : -1;
  }
  target?.focus();
}

export function mountResultKeys(field: HTMLInputElement, list: HTMLOListElement): void {
  const items = (): HTMLElement[] =>
    [...list.children].filter((child) => child instanceof HTMLElement);

  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' && !event.isComposing && list.childElementCount > 0) {
      event.preventDefault();
      move(items(), 0);
    }
  });

  list.addEventListener('keydown', (event) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(all, at + 1),
      ArrowUp: () => (at === 0 ? field.focus() : move(all, at - 1)),
      Home: () => move(all, 0),
      End: () => move(all, all.length - 1),
      Escape: () => field.focus(),
    };
    const step = at < 0 ? undefined : steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      step();
    }
  });
}
