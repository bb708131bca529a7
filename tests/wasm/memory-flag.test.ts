// The byte that says whether a module's memory is shared.
import { describe, expect, test } from 'vitest';
import { clearSharedFlag } from '../../wasm/memory-flag.mjs';

const head = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const text = (letters: string) => [letters.length, ...new TextEncoder().encode(letters)];
const section = (id: number, body: readonly number[]) => [id, body.length, ...body];
const imports = (...rows: readonly (readonly number[])[]) =>
  section(2, [rows.length, ...rows.flat()]);
const types = section(1, [1, 0x60, 0, 0]);
const aFunction = [...text('a'), ...text('f'), 0x00, 0x00];
const aGlobal = [...text('a'), ...text('g'), 0x03, 0x7f, 0x00];
const aTable = [...text('a'), ...text('t'), 0x01, 0x70, 0x00, 0x00];
const memory = (flags: number) => [...text('env'), ...text('memory'), 0x02, flags, 0x01, 0x02];
const moduleOf = (...parts: readonly (readonly number[])[]) =>
  Uint8Array.from([...head, ...parts.flat()]);

describe('clearSharedFlag', () => {
  test.each([
    ['the first import', [memory(3)]],
    ['behind a function and a global', [aFunction, aGlobal, memory(3), aFunction]],
  ])('finds the memory as %s', async (_, rows) => {
    const wasm = moduleOf(types, imports(...rows));
    const shared = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
    const own = new WebAssembly.Memory({ initial: 1, maximum: 2 });
    const start = async (given: WebAssembly.Memory) => {
      const g = new WebAssembly.Global({ value: 'i32' }, 0);
      const all = { env: { memory: given }, a: { f: () => {}, g } };
      await WebAssembly.instantiate(await WebAssembly.compile(wasm), all);
    };
    await expect(start(own)).rejects.toThrow(WebAssembly.LinkError);
    await start(shared);
    const at = clearSharedFlag(wasm);
    await start(own);
    await expect(start(shared)).rejects.toThrow(WebAssembly.LinkError);
    wasm[at] = (wasm[at] ?? 0) | 0b10;
    await start(shared);
  });

  test.each([
    ['is not shared', moduleOf(types, imports(memory(1))), /not linked for shared memory/],
    ['is not imported', moduleOf(types, imports(aFunction)), /imports no memory/],
    ['comes in a module without imports', moduleOf(types), /imports no memory/],
    ['follows something unknown', moduleOf(imports(aTable, memory(3))), /of kind 1/],
    ['lies behind the end', moduleOf(types, imports(memory(3)).slice(0, 6)), /imports no memory/],
  ])('refuses a module whose memory %s', (_, wasm, message) => {
    expect(() => clearSharedFlag(wasm)).toThrow(message);
  });
});
