// The parts of the check page that need no page: the layout of the map, the rows of the table, bytes and names.
import type { FileRegion, TensorInfo } from 'ambry';
import { describe, expect, it } from 'vitest';
import { bytesOfHex } from '../../../../web/demo/check/bytes/hex-view.ts';
import {
  blocksOf,
  labelFor,
  labelledBlocks,
  placeOfByte,
} from '../../../../web/demo/check/map/map-layout.ts';
import { valueBytes, valuesOf } from '../../../../web/demo/check/tensors/first-values.ts';
import { histogramPath, zeroOf } from '../../../../web/demo/check/tensors/histogram.ts';
import {
  filterRows,
  sortRows,
  type TensorRow,
} from '../../../../web/demo/check/tensors/tensor-rows.ts';
import { fixedName } from '../../../../web/demo/shared/files/file-names.ts';
import { givenSources, isFolder, sizeOf } from '../../../../web/demo/shared/files/given-sources.ts';

const region = (offset: number, bytes: number): FileRegion => ({
  kind: 'section',
  name: `at ${offset}`,
  offset,
  bytes,
});

describe('the map', () => {
  it('fills every line if the regions fill the file', () => {
    const blocks = blocksOf([region(0, 10), region(10, 50), region(60, 40)], 100, 4);
    for (let line = 0; line < 4; line += 1) {
      const onLine = blocks.filter((block) => block.line === line);
      expect(onLine.reduce((sum, { from, to }) => sum + to - from, 0)).toBeCloseTo(1);
    }
    expect(blocks.filter(({ index }) => index === 1).map(({ line }) => line)).toEqual([0, 1, 2]);
  });

  it('cuts regions at the end of a damaged file', () => {
    const blocks = blocksOf([region(90, 1e15), region(5000, 10)], 100, 2);
    expect(blocks).toEqual([
      { region: region(90, 1e15), index: 0, count: 1, line: 1, from: expect.closeTo(0.8), to: 1 },
    ]);
  });

  it('is empty for an empty file', () => {
    expect(blocksOf([region(0, 0)], 0, 3)).toEqual([]);
  });

  it('joins regions that are too small to be seen, so that the number of blocks is bounded', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => region(2 * i, 2));
    const blocks = blocksOf(many, 200_000, 10, 1 / 100);
    expect(blocks.length).toBeLessThanOrEqual(10 * 2 * 100);
    expect(blocks.reduce((sum, { count }) => sum + count, 0)).toBe(100_000);
    const mixed = [region(0, 60), region(60, 1), { ...region(61, 1), kind: 'tensor' as const }];
    expect(blocksOf(mixed, 100, 1, 1 / 10).map(({ count }) => count)).toEqual([1, 1, 1]);
  });

  it('finds the place of a byte, and puts bytes beyond the end at the end', () => {
    expect(placeOfByte(0, 100, 4)).toEqual({ line: 0, at: 0 });
    expect(placeOfByte(60, 100, 4)).toEqual({ line: 2, at: expect.closeTo(0.4) });
    expect(placeOfByte(1e12, 100, 4)).toEqual({ line: 3, at: 1 });
  });

  it('labels the widest block of a region with what fits', () => {
    const blocks = blocksOf([region(0, 30), region(30, 70)], 100, 2);
    const labelled = [...labelledBlocks(blocks)];
    expect(labelled.map(({ index, line }) => [index, line])).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(labelFor('blk.0.attn_q.weight', '4 kB', 40)).toBe('blk.0.attn_q, 4 kB');
    expect(labelFor('blk.0.attn_q.weight', '4 kB', 12)).toBe('blk.0.attn_q');
    expect(labelFor('blk.0.attn_q.bias', '4 kB', 12)).toBe('…attn_q.bias');
    expect(labelFor('blk.0.attn_q.bias', '4 kB', 7)).toBe('');
  });
});

describe('the table of tensors', () => {
  const row = (index: number, name: string, shape: number[], mean: number | null): TensorRow => {
    const tensor: TensorInfo = { name, dtype: 'f32', shape, offset: 0, bytes: 4 };
    const statistics = { tensor: name, mean } as TensorRow['statistics'];
    return { index, tensor, statistics };
  };
  const rows = [
    row(0, 'layer.10.weight', [4, 2], 0.5),
    row(1, 'layer.2.weight', [4, 2], null),
    row(2, 'norm.bias', [3], -1),
  ];

  it('sorts numbers in names by their value', () => {
    const names = sortRows(rows, 'name', false).map(({ tensor }) => tensor.name);
    expect(names).toEqual(['layer.2.weight', 'layer.10.weight', 'norm.bias']);
  });

  it('keeps equal rows in the order of the file, in both directions', () => {
    expect(sortRows(rows, 'shape', true).map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(sortRows(rows, 'shape', false).map(({ index }) => index)).toEqual([2, 0, 1]);
  });

  it('sorts tensors without statistics below all others', () => {
    expect(sortRows(rows, 'mean', true).map(({ index }) => index)).toEqual([0, 2, 1]);
  });

  it('shows rows that have every word in name, type or shape', () => {
    const found = (filter: string) => filterRows(rows, filter).map(({ index }) => index);
    expect(found('WEIGHT 10')).toEqual([0]);
    expect(found('4x2')).toEqual([0, 1]);
    expect(found('f32')).toEqual([0, 1, 2]);
    expect(found('missing')).toEqual([]);
  });
});

describe('given files', () => {
  const given = (path: string) => ({ path, file: new File(['abc'], path.split('/').at(-1) ?? '') });
  const named = (...paths: string[]) => givenSources(paths.map(given));

  it('are a model each, but for folders and parts', () => {
    expect(named('a.weights', 'b.gguf').map(({ name }) => name)).toEqual(['a.weights', 'b.gguf']);
    const [folder, other, ...more] = named('bert/config.json', 'bert/vocab.txt', 'a.weights');
    expect([folder?.name, other?.name, more]).toEqual(['bert', 'a.weights', []]);
    expect(folder && isFolder(folder.source)).toBe(true);
    const [graph, ...none] = named('resnet/config.json', 'resnet/onnx/model.onnx');
    expect([graph?.name, none]).toEqual(['resnet', []]);
    const parts = ['m-00002-of-00002.gguf', 'm-00001-of-00002.gguf', 'n-00001-of-00002.gguf'];
    const [split, alone] = named(...parts);
    expect(split?.source).toBeInstanceOf(Map);
    expect(split && [split.name, isFolder(split.source), sizeOf(split.source)]).toEqual([
      'm',
      false,
      6,
    ]);
    expect(alone?.source).toBeInstanceOf(File);
  });

  it('may be addresses', () => {
    expect(isFolder('https://example.org/models/small/')).toBe(true);
    expect(isFolder('https://example.org/models/small.gguf')).toBe(false);
    expect(isFolder('hf:owner/name')).toBe(false);
    expect(sizeOf('hf:owner/name')).toBeUndefined();
  });
});

describe('helpers', () => {
  it('read hexadecimal digits as bytes', () => {
    expect([...bytesOfHex('00ff4D')]).toEqual([0, 255, 77]);
  });

  it('draw a bar for each bin that is not empty', () => {
    const path = histogramPath({ low: 0, high: 3, counts: [4, 0, 1] });
    expect(path).toBe('M0 24v-24h1V24M2 24v-12h1V24');
  });

  it('find zero on the axis of a histogram', () => {
    expect(zeroOf({ low: -1, high: 3, counts: [1, 1, 1, 1] })).toBe(1);
    expect(zeroOf({ low: 1, high: 3, counts: [1, 1] })).toBeNull();
  });

  it('name a repaired file after the old one', () => {
    expect(fixedName('folder/model.weights')).toBe('model.fixed.weights');
    expect(fixedName('model')).toBe('model.fixed');
    expect(fixedName('.hidden')).toBe('.hidden.fixed');
  });
});

describe('the first values of a tensor', () => {
  it('are read for each type, as the formats store them', () => {
    const floats = new Uint8Array(new Float32Array([1.5, -0.1]).buffer);
    expect(valuesOf('f32', floats)).toEqual(['1.5', '-0.1']);
    const halves = Uint8Array.of(0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0x00, 0x7c, 0x01, 0x7c);
    expect(valuesOf('f16', halves)).toEqual(['1', '-2', '5.96046e-8', 'Infinity', 'NaN']);
    expect(valuesOf('bf16', Uint8Array.of(0x80, 0x3f, 0x20, 0xc1))).toEqual(['1', '-10']);
    expect(valuesOf('i8', Uint8Array.of(255, 127))).toEqual(['-1', '127']);
    expect(valuesOf('i64', Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255))).toEqual(['-1']);
  });

  it('leave out a value that is cut off, and types of blocks', () => {
    expect(valuesOf('f32', new Uint8Array(7))).toEqual(['0']);
    expect(valuesOf('q4_k', new Uint8Array(64))).toEqual([]);
    expect(valueBytes('q4_k')).toBeNull();
  });
});
