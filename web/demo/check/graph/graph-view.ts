// The graph of an ONNX file: its drawing, its outline, and the details of the chosen node or group beside them.

import type { Inspection, OnnxGraph } from 'ambry';
import { formatAmount, formatCount } from '../../shared/base/format.ts';
import { byId, element } from '../../shared/dom/dom.ts';
import type { CheckSession } from '../session/session.ts';
import { boxGraphOf, drawnEntries } from './drawing/boxes.ts';
import { GraphDrawing } from './drawing/graph-drawing.ts';
import { type Entry, entriesOf, isGroup } from './entries/groups.ts';
import type { TensorsByName } from './entries/tensors-by-name.ts';
import { typesOf } from './entries/value-types.ts';
import { entryDetail } from './entry-detail.ts';
import { NodeSearch } from './node-search.ts';
import { Outline } from './outline.ts';
import { shownEntries } from './tree-view.ts';

/** With more boxes, only the way to the last opened group stays open. */
const mostBoxes = 400;
const mostOperators = 60;

/** `main_graph, 342 nodes, operators of ONNX 17` */
function lineOf({ name, nodeCount, nodes, opsets, functions }: OnnxGraph): string {
  const versions = opsets.map(({ domain, version }) => `${domain || 'ONNX'} ${version}`).join(', ');
  const made = functions.length > 0 ? [formatAmount(functions.length, 'function')] : [];
  const left =
    nodes.length < nodeCount ? [`of which the first ${formatCount(nodes.length)} are drawn`] : [];
  const counted = formatAmount(nodeCount, 'node');
  return [name, counted, ...left, `operators of ${versions}`, ...made].filter(Boolean).join(', ');
}

function operatorsLine({ operators }: OnnxGraph): string {
  const shown = operators
    .slice(0, mostOperators)
    .map(({ name, count }) => `${name} ${formatCount(count)}`);
  return shown.join(' · ') + (operators.length > mostOperators ? ' · …' : '');
}

/** So many nodes are drawn all at once. Of more, the groups that are open. */
const fewNodes = 400;

export class GraphView {
  readonly #session: CheckSession;
  readonly #detail = byId('graph-detail', HTMLElement);
  readonly #outline = new Outline(byId('graph-tree', HTMLElement), {
    choose: (entry) => this.#choose(entry, true),
    toggle: (id) => this.#toggle(id, true),
  });
  readonly #drawing = new GraphDrawing(byId('graph-drawing', HTMLElement), (entry) =>
    this.#choose(entry, false),
  );
  readonly #search = new NodeSearch(
    () => this.#entries,
    (entry) => this.#goTo(entry, false),
  );
  #graph: OnnxGraph | undefined;
  #entries: readonly Entry[] = [];
  #tensors: TensorsByName = new Map();
  #types: ReadonlyMap<string, string> = new Map();
  #open = new Set<string>();
  #chosen = '';

  constructor(session: CheckSession) {
    this.#session = session;
  }

  show(graph: OnnxGraph, tensors: Inspection['tensors']): void {
    if (graph === this.#graph) {
      return;
    }
    this.#graph = graph;
    byId('graph-line', HTMLElement).textContent = lineOf(graph);
    byId('graph-operators', HTMLElement).textContent = operatorsLine(graph);
    this.#tensors = new Map(tensors.map((tensor, index) => [tensor.name, [index, tensor]]));
    this.#types = typesOf(graph);
    this.#entries = entriesOf(graph.nodes);
    this.#open.clear();
    this.#chosen = '';
    this.#search.clear();
    // A graph of one module shows what is in it.
    const [first] = this.#entries;
    if (first && this.#entries.length === 1 && isGroup(first)) {
      this.#open.add(first.id);
    }
    this.#showOutline(first?.id ?? '');
    this.#draw(graph);
    this.#detail.replaceChildren(
      element(
        'p',
        'note',
        'Choose a group or a node to see what it computes, and with which tensors.',
      ),
    );
  }

  #showOutline(current: string, focus = false): void {
    this.#outline.show(this.#entries, { open: this.#open, chosen: this.#chosen, current }, focus);
  }

  get #drawsAll(): boolean {
    return (this.#graph?.nodes.length ?? 0) <= fewNodes;
  }

  /** Draws what is open, with the box `near` where it was. */
  #draw(graph: OnnxGraph, near?: string): void {
    const entries = drawnEntries(this.#entries, (id) => this.#drawsAll || this.#open.has(id));
    this.#drawing.show(boxGraphOf(graph, entries, this.#tensors), near);
    this.#drawing.mark(this.#chosen);
  }

  #drawOpen(near?: string): void {
    if (this.#graph && !this.#drawsAll) {
      this.#draw(this.#graph, near);
    }
  }

  /** Opens or closes the group that is chosen already. Another entry becomes the chosen one. */
  #choose(entry: Entry, focus: boolean): void {
    const isAgain = this.#chosen === entry.id;
    this.#chosen = entry.id;
    this.#describe(entry);
    if (isGroup(entry) && (isAgain || !this.#open.has(entry.id))) {
      this.#toggle(entry.id, focus);
    } else {
      this.#showOutline(entry.id, focus);
      this.#drawing.mark(entry.id);
    }
  }

  #toggle(id: string, focus: boolean): void {
    if (!this.#open.delete(id)) {
      this.#open.add(id);
      this.#closeTooMany(id);
    }
    this.#showOutline(id, focus);
    this.#drawOpen(id);
  }

  #closeTooMany(id: string): void {
    if (shownEntries(this.#entries, this.#open).length > mostBoxes) {
      this.#open = new Set(wayTo(this.#entries, (entry) => entry.id === id).map((each) => each.id));
    }
  }

  #describe(entry: Entry): void {
    const views = entryDetail(entry, {
      tensors: this.#tensors,
      types: this.#types,
      show: (index) => this.#session.goToTable(index),
      makerOf: (value) => this.#makerOf(value),
    });
    this.#detail.replaceChildren(...views);
  }

  /** Chooses the node that makes a value. */
  #makerOf(value: string): (() => void) | undefined {
    const makes = (entry: Entry) => !isGroup(entry) && entry.node.outputs.includes(value);
    const maker = value === '' ? undefined : wayTo(this.#entries, makes).at(-1);
    return maker && (() => this.#goTo(maker, true));
  }

  /** Opens the groups around an entry, and chooses it. */
  #goTo(entry: Entry, focus: boolean): void {
    const way = wayTo(this.#entries, (each) => each === entry);
    const closed = way.slice(0, -1).filter(({ id }) => !this.#open.has(id));
    for (const { id } of closed) {
      this.#open.add(id);
    }
    this.#closeTooMany(entry.id);
    this.#choose(entry, focus);
    if (closed.length > 0) {
      this.#drawOpen();
    }
  }
}

/** The entries from the outermost group to the first one that fits. Empty if none does. */
function wayTo(entries: readonly Entry[], fits: (entry: Entry) => boolean): readonly Entry[] {
  for (const entry of entries) {
    const inside = isGroup(entry) && !fits(entry) ? wayTo(entry.entries, fits) : [];
    if (inside.length > 0 || fits(entry)) {
      return [entry, ...inside];
    }
  }
  return [];
}
