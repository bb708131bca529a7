// Keyboard navigation in a list. One item is a tab stop, and the arrow keys move to the others.

function focusItem(items: readonly HTMLElement[], to: number): void {
  const target = items[Math.min(items.length - 1, Math.max(0, to))];
  for (const item of items) {
    item.tabIndex = item === target ? 0 : -1;
  }
  target?.focus();
}

/** Replaces the children. Those that stay are not touched, so they keep the focus and stay open. */
export function replaceChildrenKeeping(parent: Element, nodes: readonly Element[]): void {
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

/** Replaces the items. The focus stays on its item, or at its position where the item is gone. */
export function replaceItems(list: HTMLElement, items: readonly HTMLElement[]): void {
  const focused = document.activeElement;
  const at = [...list.children].findIndex((item) => item.contains(focused));
  replaceChildrenKeeping(list, items);
  if (at >= 0 && focused instanceof HTMLElement && focused !== document.activeElement) {
    if (list.contains(focused)) {
      focused.focus();
    } else {
      focusItem(items, at);
    }
  }
}

/** `selector` finds the items that take the focus. The down arrow moves from `field` into the list. */
export function mountListKeys(
  list: HTMLOListElement,
  selector: string,
  field?: HTMLInputElement,
): void {
  const items = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>(selector)];

  field?.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' && !event.isComposing && list.childElementCount > 0) {
      event.preventDefault();
      focusItem(items(), 0);
    }
  });

  list.addEventListener('keydown', (event) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focusItem(all, at + 1),
      ArrowUp: () => (at === 0 ? field?.focus() : focusItem(all, at - 1)),
      Home: () => focusItem(all, 0),
      End: () => focusItem(all, all.length - 1),
      Escape: () => field?.focus(),
    };
    const step = at < 0 ? undefined : steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      step();
    }
  });
}
