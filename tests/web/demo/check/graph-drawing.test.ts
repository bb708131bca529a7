// The drawing of a graph: what is a box, in which layer boxes are, and that they never cover each other.
import { describe, expect, test } from 'vitest';
import {
  type BoxGraph,
  boxGraphOf,
  drawnEntries,
} from '../../../../web/demo/check/graph/drawing/boxes.ts';
import { layersOf, ranksOf } from '../../../../web/demo/check/graph/drawing/layers.ts';
import { layoutOf, spread } from '../../../../web/demo/check/graph/drawing/layout.ts';
import { entriesOf } from '../../../../web/demo/check/graph/entries/groups.ts';
import { typeText } from '../../../../web/demo/check/graph/entries/value-types.ts';
import { findNodes } from '../../../../web/demo/check/graph/node-search.ts';
import type { OnnxGraph, OnnxNode, OnnxValue } from '../../../../web/src/inspect/onnx-types.ts';

function node(
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  more: Partial<OnnxNode> = {},
): OnnxNode {
  return { name: '', op, inputs, outputs, byteOffset: 0, attributes: {}, ...more };
}

const value = (name: string, shape: OnnxValue['shape'] = [1, 4]): OnnxValue => ({
  name,
  dtype: 'float',
  shape,
});

function graphOf(nodes: readonly OnnxNode[], values: readonly OnnxValue[] = []): OnnxGraph {
  return {
    name: 'main',
    opsets: [],
    inputs: [value('x'), value('w', [4, 4])],
    outputs: [value('y')],
    values,
    operators: [],
    functions: [],
    nodeCount: nodes.length,
    nodes,
  };
}

const tensor = { name: 'w', dtype: 'f32', shape: [4, 4], bytes: 64, offset: 0 } as never;
const tensors = new Map([['w', [0, tensor] as const]]);

const linear = [
  node('Constant', [], ['c'], { attributes: { value: 'int64[2]' } }),
  node('MatMul', ['x', 'w'], ['h'], { name: '/layer/MatMul_1' }),
  node('Reshape', ['h', 'c'], ['r']),
  node('Add', ['r', 'h'], ['y']),
];

const drawn = (graph: OnnxGraph, isOpen = true): BoxGraph =>
  boxGraphOf(
    graph,
    drawnEntries(entriesOf(graph.nodes), () => isOpen),
    tensors,
  );

/** `MatMul > Reshape` */
const arrowsOf = ({ boxes, edges }: BoxGraph): readonly string[] =>
  edges.map(({ from, to }) => `${boxes[from]?.title} > ${boxes[to]?.title}`);

describe('boxes', () => {
  test('are inputs, nodes and outputs; weights and constants stand in the nodes', () => {
    const graph = drawn(graphOf(linear, [value('h', ['batch', 4])]));
    expect(graph.boxes.map(({ kind, title, lines }) => [kind, title, ...lines])).toEqual([
      ['input', 'x', 'float 1 × 4'],
      ['node', 'MatMul', 'MatMul_1', 'w ⟨4 × 4⟩'],
      ['node', 'Reshape', 'constant int64[2]'],
      ['node', 'Add'],
      ['output', 'y', 'float 1 × 4'],
    ]);
    expect(arrowsOf(graph)).toEqual([
      'x > MatMul',
      'MatMul > Reshape',
      'Reshape > Add',
      'MatMul > Add',
      'Add > y',
    ]);
  });

  test('have the stated types on their arrows, each once', () => {
    const graph = drawn(graphOf(linear, [value('h', ['batch', null])]));
    const labels = layoutOf(graph).edges.flatMap(({ edge, labelled }) =>
      labelled ? [edge.label] : [],
    );
    expect(labels).toEqual(['float batch × ?']);
    expect(typeText(value('s', []))).toBe('float scalar');
    expect(typeText({ name: 'n', dtype: null, shape: null })).toBe('');
  });

  test('of closed groups have the arrows of their nodes', () => {
    const inside = (i: number) => [
      node('MatMul', [`h${i}`, 'w'], [`m${i}`], { name: `/layer.${i}/MatMul` }),
      node('Relu', [`m${i}`], [`h${i + 1}`], { name: `/layer.${i}/Relu` }),
    ];
    const nodes = [
      node('Identity', ['x'], ['h0'], { name: '/Identity' }),
      ...inside(0),
      ...inside(1),
    ];
    const graph = drawn(graphOf([...nodes, node('Tanh', ['h2'], ['y'], { name: '/Tanh' })]), false);
    expect(graph.boxes.map(({ title }) => title)).toEqual([
      'x',
      'Identity',
      'layer.0',
      'layer.1',
      'Tanh',
      'y',
    ]);
    expect(arrowsOf(graph)).toHaveLength(5);
  });
});

describe('layers', () => {
  test('are below all that leads to them, also where an arrow goes back', () => {
    expect(
      ranksOf(4, [
        { from: 0, to: 1 },
        { from: 1, to: 2 },
        { from: 0, to: 2 },
      ]),
    ).toEqual([0, 1, 2, 0]);
    expect(
      ranksOf(3, [
        { from: 0, to: 1 },
        { from: 1, to: 2 },
        { from: 2, to: 1 },
      ]),
    ).toEqual([0, 1, 2]);
    // An input of a late node stands near it.
    expect(
      ranksOf(4, [
        { from: 0, to: 2 },
        { from: 2, to: 3 },
        { from: 1, to: 3 },
      ]),
    ).toEqual([0, 1, 1, 2]);
  });

  test('have bends of long arrows, but a bounded number of them', () => {
    const chain = Array.from({ length: 2000 }, (_, i) => ({ from: i, to: i + 1 }));
    const long = Array.from({ length: 500 }, (_, i) => ({ from: i, to: 2000 - i }));
    const widths = new Array<number>(2001).fill(50);
    const { layers, ways } = layersOf(widths, [...chain, ...long]);
    expect(layers.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(2001 + 4000);
    expect(ways).toHaveLength(2500);
    const short = layersOf(
      [9, 9, 9],
      [
        { from: 0, to: 1 },
        { from: 1, to: 2 },
        { from: 0, to: 2 },
      ],
    );
    expect(short.ways.map(({ places }) => places.length).sort()).toEqual([2, 2, 3]);
  });
});

describe('places', () => {
  test('are as near as possible to where they want to be', () => {
    expect(spread([0, 100], [10])).toEqual([0, 100]);
    expect(spread([0, 0], [10])).toEqual([-5, 5]);
    expect(spread([5, 0, 40], [10, 10])).toEqual([-2.5, 7.5, 40]);
    expect(spread([], [])).toEqual([]);
  });

  test('never cover each other, in a graph of branches that come together', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed % below;
    };
    const nodes = Array.from({ length: 200 }, (_, i) => {
      const inputs = i === 0 ? ['x'] : [`v${random(i)}`, `v${random(i)}`];
      return node(`Operator${random(9)}`, inputs, [`v${i}`], { name: `node${i}` });
    });
    const { boxes, width, height, edges } = layoutOf(drawn(graphOf(nodes)));
    expect(boxes.length).toBe(202);
    for (const [i, a] of boxes.entries()) {
      expect(a.x).toBeGreaterThanOrEqual(-0.01);
      expect(a.x + a.width).toBeLessThanOrEqual(width + 0.01);
      expect(a.y + a.height).toBeLessThanOrEqual(height + 0.01);
      for (const b of boxes.slice(i + 1)) {
        const apart =
          a.x + a.width <= b.x + 0.01 ||
          b.x + b.width <= a.x + 0.01 ||
          a.y + a.height <= b.y ||
          b.y + b.height <= a.y;
        expect(apart, `${a.box.id} and ${b.box.id}`).toBe(true);
      }
    }
    for (const { points, edge } of edges) {
      const [first, last] = [points.at(0), points.at(-1)];
      expect(first?.y).toBe((boxes[edge.from]?.y ?? 0) + (boxes[edge.from]?.height ?? 0));
      expect(last?.y).toBe(boxes[edge.to]?.y);
    }
  });

  test('of nothing are nothing', () => {
    expect(layoutOf({ boxes: [], edges: [] })).toEqual({
      boxes: [],
      edges: [],
      width: 0,
      height: 0,
    });
  });
});

test('nodes are found by each word of their names, operators and values', () => {
  const entries = entriesOf(linear);
  const found = (query: string) => findNodes(entries, query).map(({ node: { op } }) => op);
  expect(found('matmul')).toEqual(['MatMul']);
  expect(found('H add')).toEqual(['Add']);
  expect(found('nothing')).toEqual([]);
  expect(found(' ')).toEqual([]);
});
