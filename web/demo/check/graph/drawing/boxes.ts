// The boxes and arrows of a graph: its inputs and outputs, its nodes, and groups that are closed. Weights and constants stand in the boxes of
// the nodes that use them.

import type { OnnxGraph, OnnxNode, OnnxValue } from 'ambry';
import { formatAmount } from '../../../shared/base/format.ts';
import { shapeText } from '../../tensors/tensor-rows.ts';
import { type Entry, isGroup, nodesOf, operatorsText } from '../entries/groups.ts';
import type { TensorsByName } from '../entries/tensors-by-name.ts';
import { typesOf, typeText } from '../entries/value-types.ts';

export interface GraphBox {
  readonly id: string;
  readonly kind: 'input' | 'output' | 'node' | 'group';
  /** The operator, or what a group is called. */
  readonly title: string;
  readonly lines: readonly string[];
  /** Undefined for inputs and outputs. */
  readonly entry?: Entry;
}

export interface GraphEdge {
  /** Indices of boxes. */
  readonly from: number;
  readonly to: number;
  readonly value: string;
  /** The type and the shape, as far as the file states them and the boxes do not. */
  readonly label: string;
}

export interface BoxGraph {
  readonly boxes: readonly GraphBox[];
  readonly edges: readonly GraphEdge[];
}

/** Inputs and outputs that are drawn. */
const mostEnds = 100;
const mostLines = 4;

/** What is drawn of the entries: nodes, and groups that are not open. */
export function drawnEntries(entries: readonly Entry[], isOpen: (id: string) => boolean): Entry[] {
  return entries.flatMap((entry) =>
    isGroup(entry) && isOpen(entry.id) ? drawnEntries(entry.entries, isOpen) : [entry],
  );
}

/** A node that gives a constant. It is a line of the nodes that use it. */
const isConstant = ({ op, inputs }: OnnxNode): boolean =>
  op === 'Constant' && inputs.every((input) => input === '');

/** The last part of a path: `query.weight` of `encoder.layer.0.query.weight`. */
function shortName(name: string): string {
  const parts = name.split('/').at(-1)?.split('.') ?? [];
  return parts.slice(-2).join('.');
}

class BoxGraphMaker {
  readonly #graph: OnnxGraph;
  readonly #tensors: TensorsByName;
  readonly #types: ReadonlyMap<string, string>;
  readonly #constants = new Map<string, string>();
  readonly #boxes: GraphBox[] = [];
  readonly #makers = new Map<string, number>();
  readonly #edges = new Map<string, GraphEdge>();

  constructor(graph: OnnxGraph, tensors: TensorsByName) {
    this.#graph = graph;
    this.#tensors = tensors;
    this.#types = typesOf(graph);
    for (const node of graph.nodes.filter(isConstant)) {
      for (const output of node.outputs) {
        this.#constants.set(output, String(Object.values(node.attributes)[0] ?? ''));
      }
    }
  }

  make(entries: readonly Entry[]): BoxGraph {
    for (const input of this.#graph.inputs.slice(0, mostEnds)) {
      // Older files name their weights among the inputs.
      if (!this.#tensors.has(input.name)) {
        this.#addEnd('input', input);
      }
    }
    const drawn = entries.filter((entry) => !nodesOf(entry).every(isConstant));
    const places = drawn.map((entry) => this.#addEntry(entry));
    drawn.forEach((entry, i) => {
      const values = nodesOf(entry).flatMap(({ inputs }) => inputs);
      this.#connect(values, places[i] as number);
    });
    for (const output of this.#graph.outputs.slice(0, mostEnds)) {
      this.#connect([output.name], this.#addEnd('output', output));
    }
    return { boxes: this.#boxes, edges: [...this.#edges.values()] };
  }

  #addEnd(kind: 'input' | 'output', value: OnnxValue): number {
    const type = typeText(value);
    const lines = type === '' ? [] : [type];
    const place = this.#boxes.push({ id: `${kind} ${value.name}`, kind, title: value.name, lines });
    if (kind === 'input') {
      this.#makers.set(value.name, place - 1);
    }
    return place - 1;
  }

  #addEntry(entry: Entry): number {
    const box: GraphBox = isGroup(entry)
      ? {
          id: entry.id,
          kind: 'group',
          title: entry.title,
          lines: [formatAmount(entry.nodes.length, 'node'), operatorsText(entry.nodes)],
          entry,
        }
      : {
          id: entry.id,
          kind: 'node',
          title: entry.node.op,
          lines: this.#linesOf(entry.node),
          entry,
        };
    const place = this.#boxes.push(box) - 1;
    for (const output of nodesOf(entry).flatMap(({ outputs }) => outputs)) {
      this.#makers.set(output, place);
    }
    return place;
  }

  /** The name of a node, and what it has of its own. */
  #linesOf({ name, op, inputs }: OnnxNode): string[] {
    const own = name.split('/').at(-1) ?? '';
    const kept = inputs.flatMap((input) => {
      const [, tensor] = this.#tensors.get(input) ?? [];
      const constant = this.#constants.get(input);
      if (tensor) {
        return [`${shortName(input)} ⟨${shapeText(tensor.shape)}⟩`];
      }
      return constant === undefined ? [] : [`constant ${constant}`];
    });
    const shown = kept.slice(0, mostLines);
    const left = kept.length - shown.length;
    return [
      ...(own === '' || own === op ? [] : [own]),
      ...shown,
      ...(left > 0 ? [`and ${left} more`] : []),
    ];
  }

  /** One arrow for each value that a box takes of another one. */
  #connect(values: readonly string[], to: number): void {
    for (const value of values) {
      const from = this.#makers.get(value);
      if (from !== undefined && from !== to) {
        // The boxes of inputs and outputs say their types.
        const isEnd = this.#boxes[from]?.kind === 'input' || this.#boxes[to]?.kind === 'output';
        const label = isEnd ? '' : (this.#types.get(value) ?? '');
        this.#edges.set(`${from} ${to} ${value}`, { from, to, value, label });
      }
    }
  }
}

export function boxGraphOf(
  graph: OnnxGraph,
  entries: readonly Entry[],
  tensors: TensorsByName,
): BoxGraph {
  return new BoxGraphMaker(graph, tensors).make(entries);
}
