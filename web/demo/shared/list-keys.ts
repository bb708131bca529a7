// Walking through a list with the keyboard. One item is a tab stop; the arrows move it.

function move(items: readonly HTMLElement[], to: number): void {
  const target = items[Math.min(items.length - 1, Math.max(0, to))];
  for (const item of items) {
    item.tabIndex = item === target ? 0 : -1;
  }
  target?.focus();
}

/** Puts the children in another order without touching those that stay: they keep focus and open folds. */
export function arrangeNodes(parent: Element, nodes: readonly Element[]): void {
  const staying = new Set(nodes);
  for (const child of [...parent.children]) {
    if (!staying.has(child)) {
      child.remove();
    }
  }
  nodes.forEach((node, at) => {
    if (parent.children[at] !== node) {
      parent.insertBefore(node, parent.children[at] ?? null);
    }
  });
}

/** Other items; the focus stays on its item, or where it was among them. */
export function replaceItems(list: HTMLElement, items: readonly HTMLElement[]): void {
  const focused = document.activeElement;
  const at = [...list.children].findIndex((item) => item.contains(focused));
  arrangeNodes(list, items);
  if (at >= 0 && focused instanceof HTMLElement && focused !== document.activeElement) {
    if (list.contains(focused)) {
      focused.focus();
    } else {
      move(items, at);
    }
  }
}

/** `selector` finds the items, which take the focus. The arrow down leads from `field` into the list. */
export function mountListKeys(
  list: HTMLOListElement,
  selector: string,
  field?: HTMLInputElement,
): void {
  const items = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>(selector)];

  field?.addEventListener('keydown', (event) => {
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
      ArrowUp: () => (at === 0 ? field?.focus() : move(all, at - 1)),
      Home: () => move(all, 0),
      End: () => move(all, all.length - 1),
      Escape: () => field?.focus(),
    };
    const step = at < 0 ? undefined : steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      step();
    }
  });
}
