// The keys of a tree: the arrow keys move, open and close; Enter and the space bar choose.

interface TreeItem {
  readonly id: string;
  readonly level: number;
  readonly opens: boolean;
  readonly open: boolean;
}

type TreeStep =
  | { readonly act: 'focus'; readonly id: string }
  | { readonly act: 'open' | 'close' | 'choose'; readonly id: string };

/** What a key does at the item with this id. Null for other keys. */
export function stepOf(key: string, items: readonly TreeItem[], id: string): TreeStep | null {
  const at = items.findIndex((item) => item.id === id);
  const item = items[at];
  if (item === undefined) {
    return null;
  }
  const to = (index: number): TreeStep => ({
    act: 'focus',
    id: items[Math.max(0, Math.min(items.length - 1, index))]?.id ?? id,
  });
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(items.length - 1);
    case 'ArrowRight':
      if (!item.opens) {
        return null;
      }
      return item.open ? to(at + 1) : { act: 'open', id };
    case 'ArrowLeft':
      if (item.open) {
        return { act: 'close', id };
      }
      return to(items.findLastIndex(({ level }, i) => i < at && level < item.level));
    case 'Enter':
    case ' ':
      return { act: 'choose', id };
    default:
      return null;
  }
}
