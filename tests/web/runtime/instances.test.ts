// Instances over one memory, and instances that start from a copy of another's.
import { readFile } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { unwrap } from '../../../web/src/runtime/worker-heap.ts';
import { type Instance, lend, makeInstance } from '../../../web/src/runtime/worker-instance.ts';
import { compileBytes } from '../../../web/src/runtime/worker-wasm.ts';
import type { EncoderSmallModule } from '../../../web/src/wasm/module.mjs';
import { moduleEncoderSmall } from '../../../web/src/wasm/module-encoder-small.ts';

const bytes = new Uint8Array(await readFile(moduleEncoderSmall.baseline));
const testAlone = await WebAssembly.compile(bytes);
const testShared = await compileBytes(bytes, 'the file', moduleEncoderSmall.sharedAt?.baseline);

const share = () => makeInstance(moduleEncoderSmall, testShared, true);
const join = (first: Instance<EncoderSmallModule>) =>
  makeInstance(moduleEncoderSmall, testShared, true, lend(first));

/** Holds so many bytes in the heap. */
function holdBytes({ module }: Instance<EncoderSmallModule>, size: number): void {
  const source = unwrap(module.createSource(size, false));
  unwrap(module.insert(source, 0, new Uint8Array(size)));
}

afterEach(() => vi.unstubAllGlobals());

test('instances over one memory use the same handles', async () => {
  const first = await share();
  const second = await join(first);
  expect(second.shared).toBe(first.shared);
  const source = unwrap(first.module.createSource(100, false));
  expect(unwrap(second.module.insert(source, 0, new Uint8Array(10)))).toBeNull();
  expect(second.module.release(source)).toBe(true);
  expect(first.module.release(source)).toBe(false);
});

test('every instance has a stack of its own', async () => {
  const first = await share();
  const [a, b] = [unwrap(first.module.makeStack()), unwrap(first.module.makeStack())];
  expect(Math.abs(a.top - b.top)).toBeGreaterThanOrEqual(1024 * 1024);
  expect([a.top % 16, b.top % 16]).toEqual([0, 0]);
  expect(first.module.release(a.stack)).toBe(true);
});

test('an instance sees the memory that another has grown', async () => {
  const first = await share();
  const second = await join(first);
  const before = first.module.HEAPU8.length;
  holdBytes(second, 2 * before);
  expect(first.module.HEAPU8.length).toBeGreaterThan(2 * before);
  expect(first.module.HEAPU8.length).toBe(second.module.HEAPU8.length);
  for (let i = 0; i < 10; i++) {
    holdBytes(i % 2 ? first : second, before);
  }
});

test('an engine with fewer addresses gets a smaller maximum', async () => {
  const asked: number[] = [];
  class SmallMemory extends WebAssembly.Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      asked.push(descriptor.maximum ?? 0);
      if ((descriptor.maximum ?? 0) > 16384) {
        throw new RangeError('no room');
      }
      super(descriptor);
    }
  }
  vi.stubGlobal('WebAssembly', Object.create(WebAssembly, { Memory: { value: SmallMemory } }));
  const { module } = await share();
  expect(asked).toEqual([65536, 32768, 16384]);
  expect(module.simdFlavour()).toBe('baseline');
});

test('a memory that cannot be had is an error that says so', async () => {
  class NoMemory {
    constructor() {
      throw new RangeError('no room');
    }
  }
  vi.stubGlobal('WebAssembly', Object.create(WebAssembly, { Memory: { value: NoMemory } }));
  const made = share();
  await expect(made).rejects.toMatchObject({
    code: 'LimitExceeded',
    message: expect.stringContaining('no room'),
  });
});

test('elsewhere an instance goes on from a copy', async () => {
  const first = await makeInstance(moduleEncoderSmall, testAlone, false);
  const source = unwrap(first.module.createSource(100, false));
  const lent = lend(first);
  expect('heap' in lent && lent.heap.length).toBe(first.module.HEAPU8.length);
  const second = await makeInstance(moduleEncoderSmall, testAlone, false, lent);
  expect(second.shared).toBeUndefined();
  expect(second.module.release(source)).toBe(true);
  expect(first.module.release(source)).toBe(true);
});
