// The groups of a graph: modules by paths, chains without them, and never too many entries at once.
import { describe, expect, test } from 'vitest';
import {
  type Entry,
  entriesOf,
  isGroup,
  mostEntries,
  nodesOf,
  operatorsText,
} from '../../../../web/demo/check/graph/entries/groups.ts';
import { placesOf } from '../../../../web/demo/check/graph/entries/node-places.ts';
import type { OnnxNode } from '../../../../web/src/inspect/onnx-types.ts';

function node(name: string, op = 'Add', inputs: readonly string[] = [], output = name): OnnxNode {
  return { name, op, inputs, outputs: [output], byteOffset: 0, attributes: {} };
}

/** Titles, with those of the groups' entries inside. */
type Outline = string | readonly [string, readonly Outline[]];
const outlineOf = (entries: readonly Entry[]): readonly Outline[] =>
  entries.map((entry) => (isGroup(entry) ? [entry.title, outlineOf(entry.entries)] : entry.title));

function eachGroup(entries: readonly Entry[], visit: (list: readonly Entry[]) => void): void {
  visit(entries);
  for (const entry of entries.filter(isGroup)) {
    eachGroup(entry.entries, visit);
  }
}

describe('paths', () => {
  test('of names with slashes are groups inside groups, in the order of the graph', () => {
    const nodes = [
      node('/Shape', 'Shape'),
      node('/encoder/layer.0/query/MatMul', 'MatMul'),
      node('/encoder/layer.0/query/Add_1', 'Add'),
      node('/encoder/layer.0/Softmax', 'Softmax'),
      node('/encoder/layer.1/query/MatMul', 'MatMul'),
      node('/pooler/Tanh', 'Tanh'),
    ];
    const entries = entriesOf(nodes);
    expect(outlineOf(entries)).toEqual([
      'Shape',
      [
        'encoder',
        [
          ['layer.0', [['query', ['MatMul', 'Add Add_1']], 'Softmax']],
          ['layer.1/query', ['MatMul']],
        ],
      ],
      ['pooler', ['Tanh']],
    ]);
    expect(entries.flatMap(nodesOf)).toEqual(nodes);
  });

  test('of weights are those of nodes without one', () => {
    const nodes = [
      node('n0', 'MatMul', ['x', 'encoder.layer.0.query.weight']),
      node('n1', 'Add', ['n0', 'encoder.layer.0.query.bias']),
      node('n2', 'Softmax', ['n1']),
      node('n3', 'MatMul', ['n2', 'encoder.layer.0.key.weight']),
      node('n4', 'MatMul', ['n3', 'encoder.layer.1.key.weight']),
    ];
    expect(placesOf(nodes)).toEqual([
      ['encoder', 'layer.0', 'query'],
      ['encoder', 'layer.0', 'query'],
      ['encoder', 'layer.0'],
      ['encoder', 'layer.0', 'key'],
      ['encoder', 'layer.1', 'key'],
    ]);
  });

  test('that are long or odd do no harm', () => {
    const odd = ['////', '/__proto__/constructor/x', `/${'a/'.repeat(5000)}x`, '', 'a b\u0000/c'];
    const entries = entriesOf(odd.map((name) => node(name)));
    expect(entries.flatMap(nodesOf)).toHaveLength(odd.length);
  });

  test('a group and a node of one name are both there', () => {
    const entries = entriesOf([node('/a/b'), node('/a/b/c'), node('/a/b')]);
    expect(entries.flatMap(nodesOf)).toHaveLength(3);
    const ids: string[] = [];
    eachGroup(entries, (list) => ids.push(...list.map(({ id }) => id)));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('without paths', () => {
  test('a few nodes are drawn as they are', () => {
    expect(outlineOf(entriesOf([node('a', 'Conv'), node('b', 'Relu')]))).toEqual([
      'Conv a',
      'Relu b',
    ]);
  });

  test('many are chains, which end where a result is used twice', () => {
    const nodes = Array.from({ length: 40 }, (_, i) =>
      node(`${i}`, i % 4 === 0 ? 'Conv' : 'Relu', i === 0 ? ['x'] : [`${i - 1}`]),
    );
    const twice = node('last', 'Add', ['39', '19']);
    const [first, second, ...others] = entriesOf([...nodes, twice]);
    expect(others).toEqual([]);
    expect(first?.title).toBe('Conv → Relu → Relu → Relu → …');
    expect([first, second].map((entry) => entry && nodesOf(entry).length)).toEqual([20, 21]);
  });
});

test('constants are in the chain that they are between', () => {
  const nodes = Array.from({ length: 40 }, (_, i) =>
    i % 2 === 1 ? node(`${i}`, 'Constant') : node(`${i}`, 'Add', [`${i - 1}`, `${i - 2}`]),
  );
  const [first, ...others] = entriesOf(nodes);
  expect([first?.title, others]).toEqual(['Add → Add → Add → Add → …', []]);
});

describe('bounds', () => {
  test.each([
    ['flat paths', (i: number) => `/a/${i}`],
    ['many modules', (i: number) => `/m${i}/x`],
    ['no paths', (i: number) => `${i}`],
  ])('%s: no group has too many entries, and no node is lost', (_, nameOf) => {
    const nodes = Array.from({ length: 20_000 }, (_, i) => node(nameOf(i), 'Add', [`${i - 2}`]));
    const entries = entriesOf(nodes);
    eachGroup(entries, (list) => expect(list.length).toBeLessThanOrEqual(mostEntries));
    expect(entries.flatMap(nodesOf)).toEqual(nodes);
  });

  test('operators are counted, the most frequent first', () => {
    const ops = ['Add', 'Mul', 'Mul', 'Div', 'Sub', 'Pow'];
    expect(operatorsText(ops.map((op, i) => node(`${i}`, op)))).toBe('Mul 2, Add, Div, Pow, …');
  });
});
