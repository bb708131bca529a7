// Directories whose weights a library has quantized: they open from everywhere, and compute what their floats compute.
import { afterAll, describe, expect, test } from 'vitest';
import { onDisk, onServer } from '../support/directories/model-directories.ts';
import {
  type QuantizedForm,
  quantizedDirectory,
  quantizedFiles,
  quantizedForms,
  typeInAmb,
} from '../support/directories/quantized-directories.ts';
import { modelDirectory } from '../support/fixtures.ts';
import { openEncoder, openGenerator } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const { convert, inspect, quantize } = ambry;
const ids = [256, 72, 101, 108, 108, 111];
const clean: (() => unknown)[] = [];
afterAll(async () => {
  for (const each of clean) {
    await each();
  }
});

/** The largest difference, in proportion to the largest number. */
function difference(a: Float32Array, b: Float32Array): number {
  const largest = (numbers: Float32Array) => numbers.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
  return largest(a.map((x, i) => x - (b[i] ?? 0))) / largest(b);
}

describe.each(Object.keys(quantizedForms) as QuantizedForm[])('a directory of %s', (form) => {
  test('opens from everywhere, and its floats give the same logits', async () => {
    const { quantized, floats } = await quantizedDirectory(form);
    await using whole = await openGenerator(floats);
    const wanted = await whole.logits(ids);
    const disk = await onDisk(quantized);
    const server = await onServer(quantized);
    clean.push(disk.remove, () => server.close());
    const results: Float32Array[] = [];
    for (const source of [quantized, disk.path, server.url]) {
      await using model = await openGenerator(source);
      results.push(await model.logits(ids));
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
    // Codes are multiplied by rounded activations, floats are not.
    const kept = typeInAmb[form] !== 'f32';
    expect(difference(results[0] as Float32Array, wanted)).toBeLessThan(kept ? 1e-3 : 1e-12);
  });

  test('is converted, and the report says what became of the codes', async () => {
    const { quantized, floats } = await quantizedDirectory(form);
    let notes: (string | undefined)[] = [];
    let from: string[] = [];
    const amb = await convert(quantized, {
      to: 'amb',
      onReport: ({ tensors }) => {
        const made = tensors.filter(({ name }) => name.includes('_proj'));
        notes = [...new Set(made.map(({ note }) => note))];
        from = [...new Set(made.map((tensor) => tensor.from))];
      },
    });
    const kept = typeInAmb[form] !== 'f32';
    expect(notes).toEqual([
      kept ? 'the same codes and scales' : expect.stringMatching(/^decoded: /),
    ]);
    expect(from).toEqual([expect.stringMatching(/ \d-bit$/)]);
    const { tensors } = await inspect(amb);
    const types = tensors.filter(({ name }) => name.includes('_proj')).map(({ dtype }) => dtype);
    expect([...new Set(types)]).toEqual([typeInAmb[form]]);
    // As floats, the conversion is that of the directory of floats.
    const asFloats = await convert(quantized, { to: 'amb', dtype: 'f32' });
    const twin = await convert(floats, { to: 'amb' });
    expect(new Uint8Array(await asFloats.arrayBuffer())).toEqual(
      new Uint8Array(await twin.arrayBuffer()),
    );
  });
});

test.each([
  'int8',
  'nf4',
] as const)('an encoder of %s gives the vectors of its floats', async (form) => {
  const isCoded = (name: string) => /(query|key|value|dense)\.weight$/.test(name);
  const { quantized, floats } = quantizedFiles(modelDirectory(), form, isCoded);
  await using whole = await openEncoder(floats);
  await using model = await openEncoder(quantized);
  expect(await model.embed('the cat sat')).toEqual(await whole.embed('the cat sat'));
  expect(model.info.warnings).toContainEqual(
    expect.objectContaining({
      code: 'Unsupported',
      path: 'config.json.quantization_config',
      message: expect.stringContaining('decoded to f32'),
    }),
  );
});

test('a quantized directory can be quantized anew', async () => {
  const { quantized } = await quantizedDirectory('fp8');
  const { blob } = await quantize(quantized, { to: 'amb', type: 'int4_block', block: 32 });
  const { tensors } = await inspect(blob as Blob);
  expect(tensors.find(({ name }) => name.includes('q_proj'))).toMatchObject({
    dtype: 'int4_block',
  });
});
