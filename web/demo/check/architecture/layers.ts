// Groups of tensors, and the layers of a stack.

/** The items by their keys, in the order in which the keys come first. */
export function grouped<Key, Item>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [item]);
    } else {
      group.push(item);
    }
  }
  return groups;
}

/** A tensor of a layer. */
export interface Inner {
  readonly index: number;
  readonly rest: string;
}

export interface Layer {
  readonly number: string;
  readonly inner: readonly Inner[];
}

/** `0 to 3, 5, 7 to 9`. A long list is cut. */
export function rangesText(layers: readonly Layer[]): string {
  const ranges: [number, number][] = [];
  for (const number of layers.map((layer) => Number(layer.number))) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === number) {
      last[1] = number;
    } else {
      ranges.push([number, number]);
    }
  }
  const texts = ranges.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  return texts.length > 4 ? `${texts.slice(0, 3).join(', ')}, …` : texts.join(', ');
}
