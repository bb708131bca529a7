// The entries of a graph that are shown, as boxes in the order of the graph. An open group has its entries below it.

import { formatAmount } from '../../shared/base/format.ts';
import { element } from '../../shared/dom/dom.ts';
import { type Entry, isGroup, nodesOf, operatorsText } from './entries/groups.ts';

/** What is shown of the tree. */
export interface Shown {
  readonly open: ReadonlySet<string>;
  readonly chosen: string;
  /** The entry that the Tab key reaches. */
  readonly current: string;
}

/** An entry that is shown. */
export interface ShownEntry {
  readonly entry: Entry;
  readonly level: number;
}

/** All entries that are shown, from the first to the last. */
export function shownEntries(
  entries: readonly Entry[],
  open: ReadonlySet<string>,
  level = 1,
): ShownEntry[] {
  return entries.flatMap((entry) => [
    { entry, level },
    ...(isGroup(entry) && open.has(entry.id) ? shownEntries(entry.entries, open, level + 1) : []),
  ]);
}

export function entryViews(entries: readonly Entry[], shown: Shown, level = 1): HTMLLIElement[] {
  return entries.map((entry) => {
    const item = element('li', '', boxOf(entry));
    item.role = 'treeitem';
    item.dataset['entry'] = entry.id;
    item.tabIndex = entry.id === shown.current ? 0 : -1;
    item.ariaLevel = String(level);
    item.ariaSelected = String(entry.id === shown.chosen);
    item.ariaLabel = labelOf(entry);
    if (isGroup(entry)) {
      const isOpen = shown.open.has(entry.id);
      item.ariaExpanded = String(isOpen);
      if (isOpen) {
        const inside = element('ul', '', ...entryViews(entry.entries, shown, level + 1));
        inside.role = 'group';
        item.append(inside);
      }
    }
    return item;
  });
}

/** The tensors of a node say what it is about. */
function noteOf(entry: Entry): string {
  return isGroup(entry)
    ? operatorsText(nodesOf(entry))
    : entry.node.inputs.filter(Boolean).join(', ');
}

const mostNote = 120;

function boxOf(entry: Entry): HTMLElement {
  const note = noteOf(entry);
  const count = isGroup(entry) ? formatAmount(entry.nodes.length, 'node') : '';
  return element(
    'div',
    'graph-box',
    element('span', 'graph-title', entry.title),
    element('span', 'graph-count', count),
    element('span', 'graph-note', note.length > mostNote ? `${note.slice(0, mostNote)}…` : note),
  );
}

function labelOf(entry: Entry): string {
  return isGroup(entry)
    ? `${entry.title}, ${formatAmount(entry.nodes.length, 'node')}: ${operatorsText(entry.nodes)}`
    : entry.title;
}
