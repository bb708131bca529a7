// The groups of a graph: modules by their paths, chains of nodes where there are no paths, and ranges of what would be too much to
// draw at once.

import type { OnnxNode } from 'ambry';
import { formatCount } from '../../../shared/base/format.ts';
import { placesOf } from './node-places.ts';

/** A group never has more entries than this. */
export const mostEntries = 100;
/** Fewer nodes without paths are drawn as they are. */
const fewNodes = 30;
const mostOperators = 4;

export interface NodeEntry {
  readonly id: string;
  readonly title: string;
  readonly node: OnnxNode;
}

export interface GroupEntry {
  readonly id: string;
  readonly title: string;
  /** In the order of the graph. */
  readonly entries: readonly Entry[];
  /** All nodes below it, in the order of the graph. */
  readonly nodes: readonly OnnxNode[];
}

export type Entry = NodeEntry | GroupEntry;

export const isGroup = (entry: Entry): entry is GroupEntry => 'entries' in entry;

interface Tree {
  readonly children: Map<string, Tree | OnnxNode>;
}

const isTree = (child: Tree | OnnxNode): child is Tree => 'children' in child;

/** The entries of the graph. A list of nodes without a path is cut into its chains. */
export function entriesOf(nodes: readonly OnnxNode[]): readonly Entry[] {
  const places = placesOf(nodes);
  const hasPaths = places.some((place) => place.length > 0);
  if (!hasPaths && nodes.length > fewNodes) {
    return cut(chainsOf(nodes), '');
  }
  const root: Tree = { children: new Map() };
  for (const [i, node] of nodes.entries()) {
    let tree = root;
    for (const part of places[i] ?? []) {
      const known = tree.children.get(part);
      const next = known && isTree(known) ? known : { children: new Map() };
      tree.children.set(part, next);
      tree = next;
    }
    // A slash is in no part of a path, so no group has this name.
    tree.children.set(`/${i}`, node);
  }
  return groupsOf(root, '');
}

function groupsOf({ children }: Tree, path: string): readonly Entry[] {
  const entries = [...children].map(([name, child]): Entry => {
    const id = `${path}/${name}`;
    if (!isTree(child)) {
      return nodeEntry(child, id);
    }
    return only(name, groupsOf(child, id), id);
  });
  return cut(entries, path);
}

/** A group whose only entry is a group becomes one with it. */
function only(title: string, entries: readonly Entry[], id: string): Entry {
  const [first] = entries;
  return first && entries.length === 1 && isGroup(first)
    ? { ...first, title: `${title}/${first.title}` }
    : group(title, entries, id);
}

function group(title: string, entries: readonly Entry[], id: string): GroupEntry {
  return { id, title, entries, nodes: entries.flatMap(nodesOf) };
}

export const nodesOf = (entry: Entry): readonly OnnxNode[] =>
  isGroup(entry) ? entry.nodes : [entry.node];

function nodeEntry(node: OnnxNode, id: string): NodeEntry {
  const own = node.name.split('/').pop() ?? '';
  const title = own === '' || own === node.op ? node.op : `${node.op} ${own}`;
  return { id, title, node };
}

/** Nodes of which each gives its result to the next one alone, and the constants between them. */
function chainsOf(nodes: readonly OnnxNode[]): readonly Entry[] {
  const uses = new Map<string, number>();
  for (const { inputs } of nodes) {
    for (const input of inputs) {
      uses.set(input, (uses.get(input) ?? 0) + 1);
    }
  }
  const chains: OnnxNode[][] = [];
  let result = '';
  for (const node of nodes) {
    const chain = chains.at(-1);
    const isConstant = node.inputs.length === 0;
    const goesOn = result !== '' && node.inputs.includes(result) && uses.get(result) === 1;
    if (chain && (isConstant || goesOn) && chain.length < mostEntries) {
      chain.push(node);
    } else {
      chains.push([node]);
    }
    result = isConstant ? result : (node.outputs[0] ?? '');
  }
  return chains.map((chain, i) => {
    const entries = chain.map((node, k) => nodeEntry(node, `/chain ${i}/${k}`));
    const [first] = entries;
    const steps = chain.filter(({ inputs }) => inputs.length > 0);
    const title = (steps.length > 0 ? steps : chain)
      .map(({ op }) => op)
      .slice(0, mostOperators)
      .join(' → ');
    const more = steps.length > mostOperators ? ' → …' : '';
    return first && entries.length === 1 ? first : group(title + more, entries, `/chain ${i}`);
  });
}

/** Long lists become ranges, and long lists of ranges ranges of these. */
function cut(entries: readonly Entry[], path: string): readonly Entry[] {
  if (entries.length <= mostEntries) {
    return entries;
  }
  const size = mostEntries ** Math.ceil(Math.log(entries.length) / Math.log(mostEntries) - 1);
  const ranges: Entry[] = [];
  for (let begin = 0; begin < entries.length; begin += size) {
    const inside = entries.slice(begin, begin + size);
    const end = begin + inside.length;
    const id = `${path}/${begin} to ${end}`;
    const title = `${formatCount(begin + 1)} to ${formatCount(end)}`;
    ranges.push(group(title, cut(inside, id), id));
  }
  return ranges;
}

/** `MatMul 72, Add 60, …`: the most frequent operators first. */
export function operatorsText(nodes: readonly OnnxNode[], most = mostOperators): string {
  const counts = new Map<string, number>();
  for (const { op } of nodes) {
    counts.set(op, (counts.get(op) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const shown = sorted
    .slice(0, most)
    .map(([op, count]) => (count === 1 ? op : `${op} ${formatCount(count)}`));
  return shown.join(', ') + (sorted.length > most ? ', …' : '');
}
