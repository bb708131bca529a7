// The number types that the convert page offers for each target.
import { describe, expect, it, test } from 'vitest';
import { storageTypeOf, storageTypesOf } from '../../../../web/demo/convert/storage-types.ts';
import { formatName } from '../../../../web/demo/shared/base/format-names.ts';
import { floatTypes, formats, quantizations } from '../../../../web/src/entries/tables.ts';

const valuesOf = (format: string) => storageTypesOf(format).map(({ value }) => value);

describe('the types of a target', () => {
  test.each(
    formats.map(({ id }) => id),
  )('%s are the floats that it holds and what it is quantized to', (id) => {
    const lists: Readonly<Record<string, readonly string[]>>[] = [floatTypes, quantizations];
    const known = new Set(lists.flatMap((list) => list[id] ?? []));
    const [first, ...values] = valuesOf(id);
    expect(first).toBe('');
    expect(values).toHaveLength(known.size);
    expect(new Set(values)).toEqual(known);
  });

  it('come in the order of the page, floats first', () => {
    expect(valuesOf('embd')).toEqual(['', 'f32', 'f16', 'bf16', 'int8']);
    expect(valuesOf('tinyruntime')).toEqual(['', 'dq8', 'sq8']);
    expect(valuesOf('word2vec')).toEqual(['']);
  });

  it('are quantizations where they are no floats', () => {
    expect(storageTypeOf('embd', 'f16').quantizes).toBe(false);
    expect(storageTypeOf('embd', 'int8').quantizes).toBe(true);
    expect(storageTypeOf('amb', '').quantizes).toBeUndefined();
    expect(storageTypeOf('amb', 'adaptive')).toMatchObject({ quantizes: true, hasBits: true });
  });
});

it('formats have the names that people use', () => {
  expect(formatName('textdims')).toBe('word2vec text');
  expect(formatName('unheard-of')).toBe('unheard-of');
});
