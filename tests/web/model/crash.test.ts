// What happens when a worker dies, or its WebAssembly cannot be had. The workers here are the
// package's own, started by a script that can be told to die.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openEncoder } from '../support/open-kinds.ts';
import { ownWorkers } from '../support/own-workers.ts';
import { ambry, smallModel } from '../support/package.ts';
import { startServer } from '../support/servers/server.ts';

const { inspect } = ambry;
const file = await smallModel();
const server = await startServer(file);
const wasm = new URL('../../../packages/whole/wasm/ambry-baseline.wasm', import.meta.url);

describe('a crashed worker', () => {
  test('rejects pending calls, and other models still open', async () => {
    const { started, createWorker } = ownWorkers();
    const model = await openEncoder(file, { createWorker });
    const texts = Array.from({ length: 20_000 }, () => 'the cat sat on the mat');
    const pending = [model.embed(texts), model.embed(texts)];
    const settled = Promise.allSettled(pending);
    await started[0]?.terminate();
    for (const outcome of await settled) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'Crashed' } });
    }
    await expect(model.embed('cat')).rejects.toMatchObject({
      code: 'Crashed',
      message: /open it again/,
    });
    await model.dispose();
    expect((await inspect(file)).format).toBe('embd');
  });

  test('a trap in the WebAssembly is a crash', async () => {
    // Replaces one of the module's functions when the module's JavaScript defines it.
    const trap = `
      const value = () => { throw new WebAssembly.RuntimeError('unreachable'); };
      Object.defineProperty(Object.prototype, 'beginLoad', {
        configurable: true,
        set() { Object.defineProperty(this, 'beginLoad', { get: () => value, set() {} }); },
      })`;
    const { createWorker } = ownWorkers(trap);
    await expect(openEncoder(file, { createWorker })).rejects.toMatchObject({
      code: 'Crashed',
      message: /unreachable/,
    });
  });

  test('a script that throws at start is a crash', async () => {
    const { createWorker } = ownWorkers('throw new Error("no such luck")');
    await expect(openEncoder(file, { createWorker })).rejects.toMatchObject({
      code: 'Crashed',
      message: /no such luck/,
    });
  });
});

describe('the WebAssembly', () => {
  test('can be given as bytes, as a module, and as a URL', async () => {
    const { readFile } = await import('node:fs/promises');
    const wasmBinary = new Uint8Array(await readFile(wasm));
    const wasmModule = await WebAssembly.compile(wasmBinary);
    for (const runtime of [{ wasmBinary }, { wasmModule }, { wasmUrl: wasm }]) {
      expect((await inspect(file, runtime)).format).toBe('embd');
    }
  });

  test('can be a folder with copies of the files of the package', async () => {
    const folder = new URL('../../../dist/wasm/', import.meta.url);
    for (const wasmUrl of [folder, folder.href, fileURLToPath(folder)]) {
      expect((await inspect(file, { wasmUrl })).format).toBe('embd');
    }
    const wasmUrl = new URL('../../../dist/cli/', import.meta.url);
    await expect(inspect(file, { wasmUrl })).rejects.toMatchObject({
      message: expect.stringContaining('dist/cli/ambry-inspect-'),
    });
  });

  test.each([
    ['html', /WebAssembly.*html.*200.*text\/html.*begins with.*DOCTYPE.*wasmUrl/s],
    ['missing', /WebAssembly did not load.*404/],
    ['plain', /Not WebAssembly.*begins with "EMBD/],
  ] as const)('from a URL that returns %s gives an error with advice', async (kind, message) => {
    const wasmUrl = server.url(kind);
    await expect(inspect(file, { wasmUrl })).rejects.toMatchObject({ code: 'Http', message });
  });

  test('of another program is rejected', async () => {
    const wasmBinary = new Uint8Array([0, 0x61, 0x73, 0x6d, 9, 9, 9, 9]);
    await expect(inspect(file, { wasmBinary })).rejects.toMatchObject({ code: 'Unsupported' });
  });
});
