// Objects of the core are held by number: one that is gone, or of another kind, is an error with a code.

import { describe, expect, test } from 'vitest';
import { copyOut, unwrap, using } from '../../../web/src/runtime/worker-heap.ts';
import type { AnyModel, Handle } from '../../../web/src/wasm/module.mjs';
import { loadModule } from '../support/core-module.ts';

const module = await loadModule();
const notHeld = expect.objectContaining({ code: 'NotFound', path: 'handle' });
const openIndex = () => unwrap(module.createIndex(2, true));

describe('handles', () => {
  test('a released object is NotFound, and releasing it again does nothing', () => {
    const index = openIndex();
    expect(unwrap(module.indexFacts(index))).toMatchObject({ dim: 2, size: 0, int8: true });
    expect(module.release(index)).toBe(true);
    expect(() => unwrap(module.indexFacts(index))).toThrow(notHeld);
    expect(() => unwrap(module.rangeOf(index))).toThrow(notHeld);
    expect(() => unwrap(module.append(index, new Uint8Array(8)))).toThrow(notHeld);
    expect(module.release(index)).toBe(false);
  });

  test('handles are not used again', () => {
    const first = openIndex();
    module.release(first);
    const second = openIndex();
    expect(second).not.toBe(first);
    module.release(second);
  });

  test('an object of another type is rejected', () => {
    const index = openIndex();
    expect(() => unwrap(module.detokenize(index as Handle as AnyModel, '[]', true))).toThrow(
      notHeld,
    );
    expect(() => unwrap(module.sinkRange(index as Handle as never))).toThrow(notHeld);
    module.release(index);
  });

  test('an object without bytes has no range', () => {
    const lists = unwrap(module.createLists(2, true));
    expect(() => unwrap(module.rangeOf(lists as Handle as never))).toThrow(notHeld);
    module.release(lists);
  });

  test('a kind of job that no module has is Unsupported', () => {
    const begin = () => unwrap(module.beginTexts('none' as never, 0 as never, '{}'));
    expect(begin).toThrow(expect.objectContaining({ code: 'Unsupported', path: 'kind' }));
  });

  test('unknown handles are NotFound', () => {
    for (const handle of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(module.release(handle as Handle)).toBe(false);
    }
  });

  test('using() releases the object even if its work throws', async () => {
    const index = openIndex();
    const fault = new Error('no');
    await expect(using(module, index, () => Promise.reject(fault))).rejects.toBe(fault);
    expect(module.release(index)).toBe(false);
  });

  test('bytes are passed unchanged', () => {
    const index = openIndex();
    const header = Uint8Array.from({ length: 256 }, (_, i) => i);
    const pieces = unwrap(module.save(index, header)).map((piece) => copyOut(module, piece));
    const file = Buffer.concat(pieces);
    const reader = unwrap(module.openIndex(file.byteLength));
    module.HEAPU8.set(file, unwrap(module.rangeOf(reader)).address);
    const read = unwrap(module.finishIndex(reader));
    expect(copyOut(module, unwrap(module.rangeOf(read)))).toEqual(header);
    for (const handle of [index, reader, read]) {
      module.release(handle);
    }
  });
});
