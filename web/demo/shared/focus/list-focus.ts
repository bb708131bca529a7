// Lists whose items come and go: the focus stays in the list.

import { replaceChildrenKeeping } from './list-keys.ts';

const controlsOf = (item: Element): HTMLElement[] => [
  ...item.querySelectorAll<HTMLElement>('button, a, input'),
];

/** Replaces the items, which a `data-id` identifies. The focus stays on its control. Where the item is gone, it goes to the
 *  same control of the item in its place, and from an empty list to `otherwise`. */
export function replaceKeepingFocus(
  list: HTMLElement,
  items: readonly HTMLElement[],
  otherwise: HTMLElement,
): void {
  const focused = document.activeElement;
  const old = [...list.children];
  const at = old.findIndex((item) => item.contains(focused));
  const item = old[at];
  replaceChildrenKeeping(list, items);
  if (item === undefined || !(focused instanceof HTMLElement)) {
    return;
  }
  if (list.contains(focused)) {
    focused.focus();
    return;
  }
  const id = item instanceof HTMLElement ? item.dataset['id'] : undefined;
  const next =
    items.find(({ dataset }) => id !== undefined && dataset['id'] === id) ??
    items[Math.min(at, items.length - 1)];
  const controls = next === undefined ? [] : controlsOf(next);
  (controls[controlsOf(item).indexOf(focused)] ?? controls[0] ?? otherwise).focus();
}
