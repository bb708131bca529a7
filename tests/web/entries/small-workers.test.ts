// Workers with little WebAssembly do as the one with everything does: looking into files, tokenizing, converting.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { convertHandlers } from '../../../web/src/convert/worker-convert.ts';
import { inspectHandlers } from '../../../web/src/inspect/worker-inspect.ts';
import type { CallContext } from '../../../web/src/rpc/serve.ts';
import { hasRelaxedSimd } from '../../../web/src/runtime/simd-support.ts';
import { WorkerRuntime } from '../../../web/src/runtime/worker-runtime.ts';
import type { WireSource } from '../../../web/src/sources/base/wire.ts';
import { tokenizerHandlers } from '../../../web/src/tokenizer/worker.ts';
import type { CoreModule, PackagedModule } from '../../../web/src/wasm/module.mjs';
import { moduleConvert } from '../../../web/src/wasm/module-convert.ts';
import { moduleInspect } from '../../../web/src/wasm/module-inspect.ts';
import { moduleTokenizer } from '../../../web/src/wasm/module-tokenizer.ts';
import { ambry, smallModel } from '../support/package.ts';

const flavours = hasRelaxedSimd() ? (['baseline', 'relaxed'] as const) : (['baseline'] as const);

const context = (): CallContext => ({
  signal: new AbortController().signal,
  report: () => {},
  transfer: [],
});

const bytes = await smallModel();
const source: WireSource = { kind: 'bytes', bytes };

describe.each(flavours)('%s', (flavour) => {
  function place<M extends CoreModule>(packaged: PackagedModule<M>): WorkerRuntime<M> {
    const read = () => readFile(packaged[flavour] ?? packaged.baseline);
    return new WorkerRuntime(packaged, {
      customWasm: async () => WebAssembly.compile(await read()),
    });
  }

  test.each([
    ['inspect', moduleInspect],
    ['convert', moduleConvert],
  ])('%s inspects and validates files', async (_, packaged) => {
    const { hello, inspect, validate } = inspectHandlers(place(packaged));
    expect((await hello(null, context())).formats).toContain('embd');
    expect(await inspect({ source }, context())).toEqual(await ambry.inspect(bytes));
    const asked = { source, strict: false, values: true, checksums: undefined, context: false };
    expect(await validate(asked, context())).toEqual(await ambry.validate(bytes, { values: true }));
    const cut: WireSource = { kind: 'bytes', bytes: bytes.slice(0, 1000) };
    await expect(inspect({ source: cut }, context())).rejects.toMatchObject({ code: 'Truncated' });
  });

  test('tokenize opens the tokenizer of a model', async () => {
    const { openTokenizer, tokenize, detokenize } = tokenizerHandlers(place(moduleTokenizer));
    await using whole = await ambry.openTokenizer(bytes);
    expect((await openTokenizer({ source }, context())).info).toEqual(whole.tokenizer);
    const tokens = await tokenize({ text: 'hello world', options: {} }, context());
    expect(tokens).toEqual(await whole.tokenize('hello world'));
    const again = { ids: [...tokens.ids], skipSpecial: true };
    expect(await detokenize(again, context())).toBe(await whole.detokenize(tokens.ids));
  });

  test('convert writes the same bytes, and lists the same targets', async () => {
    const { convert, conversionTargets } = convertHandlers(place(moduleConvert));
    const weights = [{ name: '', source }];
    const settings = { to: 'embd', dtype: 'int8' };
    const { blob } = await convert({ weights, files: {}, settings, output: undefined }, context());
    const expected = await ambry.convert(bytes, { to: 'embd', dtype: 'int8' });
    expect(await blob?.bytes()).toEqual(await expected.bytes());
    const targets = await conversionTargets({ weights, files: {}, settings: {} }, context());
    expect(targets).toEqual(await ambry.conversionTargets(bytes));
  });

  test('convert says what its target runs as', async () => {
    const { runAfterConversion } = convertHandlers(place(moduleConvert));
    const given = { weights: [{ name: '', source }], files: {}, kind: undefined };
    const report = await runAfterConversion(given, context());
    expect(report).toMatchObject({ kind: 'encoder', format: 'embd', obstacle: null });
    expect(report.memory?.asStored).toBeGreaterThan(0);
  });

  test('convert cannot run a model for calibration, and says so', async () => {
    const { convert } = convertHandlers(place(moduleConvert));
    for (const quantize of [
      { type: 'sq8', images: [new Float32Array(4)] },
      { type: 'adaptive', calibration: 'A text.' },
    ] as const) {
      const settings = { to: '', quantize };
      const given = { weights: [{ name: '', source }], files: {}, settings, output: undefined };
      await expect(convert(given, context())).rejects.toMatchObject({ code: 'Unsupported' });
    }
  });
});
