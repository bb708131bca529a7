// The parts of the check page that need no page: the layout of the map, the rows of the table, bytes and names.
import type { FileRegion, TensorInfo } from 'ambry';
import { describe, expect, it } from 'vitest';
import { bytesOfHex } from '../../../../web/demo/check/hex-view.ts';
import { histogramPath } from '../../../../web/demo/check/histogram.ts';
import { blocksOf } from '../../../../web/demo/check/map-layout.ts';
import { filterRows, sortRows, type TensorRow } from '../../../../web/demo/check/tensor-rows.ts';
import { fixedName } from '../../../../web/demo/shared/file-names.ts';
import { givenSources, isFolder, sizeOf } from '../../../../web/demo/shared/given-sources.ts';

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
      { region: region(90, 1e15), index: 0, line: 1, from: expect.closeTo(0.8), to: 1 },
    ]);
  });

  it('is empty for an empty file', () => {
    expect(blocksOf([region(0, 0)], 0, 3)).toEqual([]);
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

  it('name a repaired file after the old one', () => {
    expect(fixedName('folder/model.weights')).toBe('model.fixed.weights');
    expect(fixedName('model')).toBe('model.fixed');
    expect(fixedName('.hidden')).toBe('.hidden.fixed');
  });
});
