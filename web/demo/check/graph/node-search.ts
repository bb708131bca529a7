// Finds nodes of a graph by their names, operators and values. Enter goes to the next one, and Enter with Shift to the one before.

import { formatAmount, formatCount } from '../../shared/base/format.ts';
import { byId } from '../../shared/dom/dom.ts';
import { type Entry, isGroup, type NodeEntry } from './entries/groups.ts';

const nodesIn = (entries: readonly Entry[]): NodeEntry[] =>
  entries.flatMap((entry) => (isGroup(entry) ? nodesIn(entry.entries) : [entry]));

/** The nodes that have each word of the query. */
export function findNodes(entries: readonly Entry[], query: string): readonly NodeEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    return [];
  }
  return nodesIn(entries).filter(({ node: { op, name, inputs, outputs } }) => {
    const text = [op, name, ...inputs, ...outputs].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export class NodeSearch {
  readonly #field = byId('graph-search', HTMLInputElement);
  readonly #line = byId('graph-found', HTMLElement);
  readonly #entries: () => readonly Entry[];
  readonly #go: (entry: NodeEntry) => void;
  #found: readonly NodeEntry[] = [];
  #at = 0;

  constructor(entries: () => readonly Entry[], go: (entry: NodeEntry) => void) {
    this.#entries = entries;
    this.#go = go;
    this.#field.addEventListener('input', () => this.#search());
    this.#field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        event.preventDefault();
        this.#step(event.shiftKey ? -1 : 1);
      }
    });
  }

  /** Another graph has other nodes. */
  clear(): void {
    this.#field.value = '';
    this.#search();
  }

  #search(): void {
    const query = this.#field.value.trim();
    this.#found = findNodes(this.#entries(), query);
    this.#at = 0;
    this.#show(query);
  }

  #step(by: number): void {
    const count = this.#found.length;
    if (count > 0) {
      this.#at = (this.#at + by + count) % count;
      this.#show(this.#field.value);
    }
  }

  #show(query: string): void {
    const found = this.#found[this.#at];
    const count = this.#found.length;
    const place = `${formatCount(this.#at + 1)} of ${formatAmount(count, 'node')}`;
    this.#line.textContent = query === '' ? '' : found ? place : 'No node has this';
    if (found) {
      this.#go(found);
    }
  }
}
