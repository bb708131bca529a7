// The parts of a model as a tree, made from what the inspection tells: names and shapes of tensors, and the configuration.
// Layers that are alike are one part. Every tensor is in exactly one part of each level.

import type { Inspection, TensorInfo } from 'ambry';
import { formatCount } from '../../shared/base/format.ts';
import { shapeText } from '../tensors/tensor-rows.ts';
import { attentionNote, type Config, layerNotes, mlpNote } from './config-notes.ts';
import { grouped, type Inner, type Layer, rangesText } from './layers.ts';
import {
  type Group,
  groupOf,
  layerPlaceOf,
  ownerOf,
  type Piece,
  pieceOf,
} from './tensor-places.ts';

export interface Part {
  /** Unique among the parts of a file. */
  readonly id: string;
  readonly title: string;
  /** Sizes and counts, in a few words; may be empty. */
  readonly note: string;
  readonly role: Group | Piece | 'layers';
  /** How many equal layers the part stands for. */
  readonly times: number;
  /** Positions in the file's list of tensors. */
  readonly tensors: readonly number[];
  readonly bytes: number;
  /** The number of elements of all tensors. */
  readonly elements: number;
  readonly parts: readonly Part[];
  /** Whether data passes the inner parts one after another. */
  readonly flows: boolean;
}

type Described = Pick<Inspection, 'tensors' | 'config'>;

type PartFacts = Pick<Part, 'id' | 'title' | 'role' | 'tensors'> & Partial<Part>;

const groupTitles: Readonly<Record<Group, string>> = {
  embeddings: 'Embeddings',
  conv: 'Convolutions',
  linear: 'Linear layers',
  norm: 'Norms',
  pooling: 'Pooling',
  head: 'Head',
  other: 'Other tensors',
};
const pieceTitles: Readonly<Record<Piece, string>> = {
  attention: 'Attention',
  mlp: 'MLP',
  norm: 'Norms',
  conv: 'Convolution',
  other: 'Other',
};
/** The tables of a network: stacks whose layers are of one kind. Their order in the network is not known. */
const tables: Readonly<Record<string, { readonly title: string; readonly role: Group }>> = {
  conv: { title: 'Convolutions', role: 'conv' },
  linear: { title: 'Linear layers', role: 'linear' },
  batchnorm: { title: 'Batch norms', role: 'norm' },
};
const finalNorm = /final|ln_f|norm_f|output_norm|(^|\.)norm\.\w+$/;
/** Groups with more parts than this do not open. The details list their tensors. */
const maxOpenParts = 32;
/** Stacks with more kinds of layers than this are lists of single layers. */
const maxKinds = 6;

const elementsOf = ({ shape }: TensorInfo): number =>
  shape.reduce((product, extent) => product * extent, 1);

class Builder {
  readonly #tensors: readonly TensorInfo[];
  readonly #elements: readonly number[];
  /** The pieces by names within a layer. All layers have the same names. */
  readonly #known = new Map<string, Piece>();
  readonly #config: Config;
  readonly #notes: ReadonlyMap<string, string>;

  constructor({ tensors, config }: Described) {
    this.#tensors = tensors;
    this.#elements = tensors.map(elementsOf);
    this.#config = config ?? {};
    this.#notes = layerNotes(this.#config);
  }

  parts(): Part[] {
    const places = this.#tensors.map(({ name }, index) => ({ index, place: layerPlaceOf(name) }));
    const inLayers = places.flatMap(({ index, place }) =>
      place === null ? [] : [{ index, ...place }],
    );
    const outside = places.flatMap(({ index, place }) => (place === null ? [index] : []));
    const groups = grouped(outside, (index) => groupOf(this.#nameOf(index)));
    const group = (name: Group): Part[] => {
      const tensors = groups.get(name);
      return tensors === undefined ? [] : [this.#group(name, tensors)];
    };
    const stacks = [...grouped(inLayers, ({ stack }) => stack)]
      .sort(([a], [b]) => Number(/decoder/.test(a)) - Number(/decoder/.test(b)))
      .map(([name, inner]) => this.#stack(name, inner));
    const ends: readonly Group[] = ['norm', 'linear', 'pooling', 'head', 'other'];
    return [...group('embeddings'), ...group('conv'), ...stacks, ...ends.flatMap(group)];
  }

  #part(facts: PartFacts): Part {
    let bytes = 0;
    let elements = 0;
    for (const index of facts.tensors) {
      bytes += this.#tensors[index]?.bytes ?? 0;
      elements += this.#elements[index] ?? 0;
    }
    return {
      note: '',
      times: 1,
      parts: [],
      flows: false,
      bytes,
      elements,
      ...facts,
    };
  }

  #group(name: Group, tensors: readonly number[]): Part {
    const owners = grouped(tensors, (index) => ownerOf(this.#nameOf(index)));
    const parts = [...owners]
      .map(([title, own]) => this.#leaf(`${name}/${title}`, title, name, own))
      .sort((a, b) => b.bytes - a.bytes);
    const isFinal = name === 'norm' && finalNorm.test(this.#nameOf(tensors[0] ?? 0));
    return this.#part({
      id: `group ${name}`,
      title: isFinal && owners.size === 1 ? 'Final norm' : groupTitles[name],
      role: name,
      tensors,
      note: this.#largestShape(tensors),
      parts: parts.length > 1 && parts.length <= maxOpenParts ? parts : [],
    });
  }

  #nameOf(index: number): string {
    return this.#tensors[index]?.name ?? '';
  }

  #leaf(id: string, title: string, role: Part['role'], tensors: readonly number[]): Part {
    return this.#part({ id, title, role, tensors, note: this.#largestShape(tensors) });
  }

  #stack(name: string, inner: readonly (Inner & { readonly layer: string })[]): Part {
    const layers = [...grouped(inner, ({ layer }) => layer)]
      .map(([number, own]): Layer => ({ number, inner: own }))
      .sort((a, b) => Number(a.number) - Number(b.number));
    const kinds = [...grouped(layers, (layer) => this.#signature(layer)).values()];
    const [only] = kinds;
    if (only !== undefined && kinds.length === 1) {
      return this.#kind(name, name, only);
    }
    const parts =
      kinds.length <= maxKinds
        ? kinds.map((kind, i) => this.#kind(name, `${name}/kind ${i}`, kind))
        : layers.map((layer) => this.#layer(name, layer));
    return this.#part({
      id: name,
      title: tables[name]?.title ?? 'Layers',
      role: 'layers',
      note: `${formatCount(layers.length)} layers, ${name}`,
      tensors: inner.map(({ index }) => index),
      parts,
      // Kinds of layers may take turns, and the tables of a network do not tell its order.
      flows: kinds.length > maxKinds && tables[name] === undefined,
    });
  }

  /** Layers with the same names and shapes are alike. Their types may differ. */
  #signature({ inner }: Layer): string {
    return inner
      .map(({ index, rest }) => `${rest} ${this.#tensors[index]?.shape.join(' ')}`)
      .sort()
      .join('\n');
  }

  /** Layers that are alike: their pieces, and each layer. */
  #kind(stack: string, id: string, layers: readonly Layer[]): Part {
    const [first] = layers;
    if (first !== undefined && layers.length === 1) {
      return this.#layer(stack, first);
    }
    const inner = layers.flatMap((layer) => layer.inner);
    const each = this.#part({
      id: `${id}/each`,
      title: 'Each layer',
      role: 'layers',
      note: rangesText(layers),
      tensors: inner.map(({ index }) => index),
      parts: layers.map((layer) => this.#layer(stack, layer)),
      flows: true,
    });
    const pieces = tables[stack] === undefined ? this.#pieces(id, inner) : [];
    return this.#part({
      id,
      title: `${tables[stack]?.title ?? 'Layers'} ${rangesText(layers)}`,
      role: 'layers',
      times: layers.length,
      note: stack,
      tensors: each.tensors,
      parts: pieces.length > 1 ? [...pieces, each] : each.parts,
      flows: pieces.length <= 1,
    });
  }

  #layer(stack: string, { number, inner }: Layer): Part {
    const id = `${stack}.${number}`;
    const tensors = inner.map(({ index }) => index);
    const table = tables[stack];
    const pieces = table === undefined ? this.#pieces(id, inner) : [];
    const [piece] = pieces;
    return this.#part({
      id,
      title: table === undefined ? `Layer ${number}` : id,
      role: table?.role ?? (pieces.length === 1 && piece ? piece.role : 'layers'),
      note: this.#notes.get(id) ?? (pieces.length > 1 ? stack : this.#largestShape(tensors)),
      tensors,
      parts: pieces.length > 1 ? pieces : [],
    });
  }

  #pieces(id: string, inner: readonly Inner[]): Part[] {
    const order: readonly Piece[] = ['attention', 'mlp', 'conv', 'norm', 'other'];
    const pieces = grouped(inner, ({ rest }) => this.#pieceOf(rest));
    return order.flatMap((piece) => {
      const tensors = pieces.get(piece)?.map(({ index }) => index) ?? [];
      return tensors.length === 0
        ? []
        : [
            this.#part({
              id: `${id}/${piece}`,
              title: pieceTitles[piece],
              role: piece,
              tensors,
              note: this.#pieceNote(piece, tensors),
            }),
          ];
    });
  }

  #pieceOf(rest: string): Piece {
    const piece = this.#known.get(rest) ?? pieceOf(rest);
    this.#known.set(rest, piece);
    return piece;
  }

  #pieceNote(piece: Piece, tensors: readonly number[]): string {
    const known =
      piece === 'attention'
        ? attentionNote(this.#config)
        : piece === 'mlp'
          ? mlpNote(this.#config)
          : '';
    return known === '' ? this.#largestShape(tensors) : known;
  }

  #largestShape(tensors: readonly number[]): string {
    let largest = tensors[0] ?? -1;
    for (const index of tensors) {
      if ((this.#elements[index] ?? 0) > (this.#elements[largest] ?? 0)) {
        largest = index;
      }
    }
    const tensor = this.#tensors[largest];
    return tensor === undefined ? '' : shapeText(tensor.shape);
  }
}

/** The parts in the order in which data passes them, as far as names tell. */
export function partsOf(inspection: Described): Part[] {
  return new Builder(inspection).parts();
}
