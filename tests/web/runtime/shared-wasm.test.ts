// What becomes of a compiled module over memory that is shared, with the modules that are shipped and a tiny one.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { memoryImport, overSharedMemory } from '../../../web/src/runtime/worker-shared-wasm.ts';

const built = (name: string) =>
  readFile(new URL(`../../../dist/wasm/${name}.wasm`, import.meta.url));

const imports = (module: WebAssembly.Module) =>
  WebAssembly.Module.imports(module).filter(({ kind }) => kind === 'memory');

test.each([
  'ambry-relaxed',
  'ambry-baseline',
  'ambry-run-relaxed',
  'ambry-run-baseline',
])('%s takes its memory from outside, and puts nothing there', async (name) => {
  const before = await WebAssembly.compile(await built(name));
  expect(imports(before)).toEqual([]);
  const shared = overSharedMemory(await built(name));
  const after = await WebAssembly.compile(shared);
  expect(imports(after)).toEqual([{ ...memoryImport, kind: 'memory' }]);
  expect(WebAssembly.Module.exports(after)).toEqual(WebAssembly.Module.exports(before));
  expect(shared.length).toBeLessThan((await built(name)).length);
});

// (memory 1 2) (data (i32.const 0) "A") (import "a" "b" (func)) (export "read" (func))
const testTiny = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 8, 2, 0x60, 0, 0, 0x60, 0, 1, 0x7f],
  ...[2, 7, 1, 1, 0x61, 1, 0x62, 0, 0],
  ...[3, 2, 1, 1],
  ...[5, 4, 1, 1, 1, 2],
  ...[7, 8, 1, 4, 0x72, 0x65, 0x61, 0x64, 0, 1],
  ...[10, 9, 1, 7, 0, 0x41, 0, 0x2d, 0, 0, 0x0b],
  ...[11, 7, 1, 0, 0x41, 0, 0x0b, 1, 0x41],
);

test('instances read what others write', async () => {
  const alone = await WebAssembly.instantiate(testTiny, { a: { b: () => {} } });
  expect((alone.instance.exports['read'] as () => number)()).toBe(0x41);
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
  const { instance } = await WebAssembly.instantiate(overSharedMemory(testTiny), {
    a: { b: () => {} },
    [memoryImport.module]: { [memoryImport.name]: memory },
  });
  const read = instance.exports['read'] as () => number;
  expect(read()).toBe(0);
  new Uint8Array(memory.buffer)[0] = 7;
  expect(read()).toBe(7);
});
