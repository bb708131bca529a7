// The graph of the selected ONNX file, with the details of the chosen node or group beside it.

import type { Inspection, OnnxGraph } from 'ambry';
import { formatAmount, formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, element } from '../../shared/dom/dom.ts';
import { stepOf } from '../architecture/tree-keys.ts';
import type { CheckSession } from '../session/session.ts';
import { type CheckState, selectedFile } from '../session/state.ts';
import { entryDetail, type TensorsByName } from './entry-detail.ts';
import { type Entry, entriesOf, isGroup } from './groups.ts';
import { entryViews, shownEntries } from './tree-view.ts';

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

class GraphView {
  readonly #session: CheckSession;
  readonly #tree = byId('graph-tree', HTMLElement);
  readonly #detail = byId('graph-detail', HTMLElement);
  #graph: OnnxGraph | undefined;
  #entries: readonly Entry[] = [];
  #tensors: TensorsByName = new Map();
  #open = new Set<string>();
  #chosen = '';
  #current = '';

  constructor(session: CheckSession) {
    this.#session = session;
    this.#tree.addEventListener('click', ({ target }) => {
      const entry = this.#entryAt(target);
      if (entry) {
        this.#choose(entry);
      }
    });
    this.#tree.addEventListener('keydown', (event) => this.#onKey(event));
  }

  show(graph: OnnxGraph, { tensors }: Inspection): void {
    if (graph === this.#graph) {
      return;
    }
    this.#graph = graph;
    byId('graph-line', HTMLElement).textContent = lineOf(graph);
    byId('graph-operators', HTMLElement).textContent = operatorsLine(graph);
    this.#tensors = new Map(tensors.map((tensor, index) => [tensor.name, [index, tensor]]));
    this.#entries = entriesOf(graph.nodes);
    this.#open.clear();
    this.#chosen = '';
    this.#current = this.#entries[0]?.id ?? '';
    // A graph of one module shows what is in it.
    const [first] = this.#entries;
    if (first && this.#entries.length === 1 && isGroup(first)) {
      this.#open.add(first.id);
    }
    this.#draw();
    this.#detail.replaceChildren(
      element(
        'p',
        'note',
        'Choose a group or a node to see what it computes, and with which tensors.',
      ),
    );
  }

  #draw(focus = false): void {
    const shown = { open: this.#open, chosen: this.#chosen, current: this.#current };
    this.#tree.replaceChildren(...entryViews(this.#entries, shown));
    if (focus) {
      this.#viewOf(this.#current)?.focus();
    }
  }

  #viewOf(id: string): HTMLElement | null {
    return this.#tree.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]`);
  }

  #entryAt(target: EventTarget | null): Entry | undefined {
    const view = target instanceof Element ? target.closest<HTMLElement>('[data-entry]') : null;
    const id = view?.dataset['entry'];
    return shownEntries(this.#entries, this.#open).find(({ entry }) => entry.id === id)?.entry;
  }

  #onKey(event: KeyboardEvent): void {
    const entry = this.#entryAt(event.target);
    if (!entry || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const items = shownEntries(this.#entries, this.#open).map(({ entry: each, level }) => ({
      id: each.id,
      level,
      opens: isGroup(each),
      open: this.#open.has(each.id),
    }));
    const step = stepOf(event.key, items, entry.id);
    if (step === null) {
      return;
    }
    event.preventDefault();
    if (step.act === 'focus') {
      this.#current = step.id;
      this.#draw(true);
    } else if (step.act === 'choose') {
      this.#choose(entry);
    } else {
      this.#toggle(entry.id);
    }
  }

  /** Opens or closes the group that is chosen already. Another entry becomes the chosen one. */
  #choose(entry: Entry): void {
    const isAgain = this.#chosen === entry.id;
    this.#chosen = entry.id;
    this.#current = entry.id;
    this.#describe(entry);
    if (isGroup(entry) && (isAgain || !this.#open.has(entry.id))) {
      this.#toggle(entry.id);
    } else {
      this.#draw(true);
    }
  }

  #toggle(id: string): void {
    if (!this.#open.delete(id)) {
      this.#open.add(id);
      if (shownEntries(this.#entries, this.#open).length > mostBoxes) {
        this.#open = new Set(
          wayTo(this.#entries, (entry) => entry.id === id).map((each) => each.id),
        );
      }
    }
    this.#current = id;
    this.#draw(true);
  }

  #describe(entry: Entry): void {
    const views = entryDetail(entry, {
      tensors: this.#tensors,
      show: (index) => this.#session.goToTable(index),
      makerOf: (value) => this.#wayTo(value),
    });
    this.#detail.replaceChildren(...views);
  }

  /** Opens the groups around the node that makes a value, and chooses it. */
  #wayTo(value: string): (() => void) | undefined {
    const makes = (entry: Entry) => !isGroup(entry) && entry.node.outputs.includes(value);
    const way = value === '' ? [] : wayTo(this.#entries, makes);
    const last = way.at(-1);
    if (!last) {
      return undefined;
    }
    return () => {
      for (const group of way.filter(isGroup)) {
        this.#open.add(group.id);
      }
      this.#choose(last);
    };
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

export function mountGraph(store: Store<CheckState>, session: CheckSession): void {
  const section = byId('graph', HTMLElement);
  const view = new GraphView(session);
  store.watch(['files', 'selected'], (state) => {
    const inspection = selectedFile(state)?.inspection ?? null;
    const graph = inspection?.graph;
    section.hidden = graph === undefined || graph.nodes.length === 0;
    if (inspection && graph) {
      view.show(graph, inspection);
    }
  });
}
