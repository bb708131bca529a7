// The built package in Node: adaptive quantization weighed by what a model is given over texts.
import { describe, expect, test } from 'vitest';
import type { Progress, QuantizeOptions } from '../../../web/src/entries/types.ts';
import { ambFile } from '../support/files/amb-file.ts';
import { languageFile } from '../support/files/language-file.ts';
import { ambry, smallModel } from '../support/package.ts';

const { convert, inspect, quantize } = ambry;
const testText = 'a fox in the snow';
const int4 = 4;

/** Norms let one number of each input through: the last one. */
const narrow = languageFile({}, (name, numbers) => {
  if (name.includes('norm')) {
    numbers.fill(1e-4).fill(8, numbers.length - 1);
  }
});

/** A file of llama-imatrix in its older form, with one matrix, of which the first inputs are the largest. */
function imatrixFile(name: string, columns: number): Uint8Array {
  const text = new TextEncoder().encode(name);
  const bytes = new Uint8Array(16 + text.length + 4 * columns);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 1, true);
  view.setUint32(4, text.length, true);
  bytes.set(text, 8);
  view.setUint32(8 + text.length, 2, true);
  view.setUint32(12 + text.length, columns, true);
  for (let i = 0; i < columns; i++) {
    view.setFloat32(16 + text.length + 4 * i, i < 16 ? 100 : 1, true);
  }
  return bytes;
}

const settings = { type: 'adaptive', bits: 5.5, texts: [] } as const;

async function bytesOf(options: Partial<QuantizeOptions>, source: Uint8Array | Blob = narrow) {
  const { blob } = await quantize(source, { ...settings, ...options });
  return new Uint8Array(await (blob as Blob).arrayBuffer());
}

/** The precision of each block of a matrix; two blocks a row. */
async function precisionsIn(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const { tensors } = await inspect(bytes);
  const tensor = tensors.find((each) => each.name === name);
  if (!tensor) {
    throw new Error(`no ${name}`);
  }
  const [rows = 0, columns = 0] = tensor.shape;
  return bytes.slice(tensor.offset + 4, tensor.offset + 4 + (rows * columns) / 32);
}

describe('calibration', () => {
  test('gives more bits to weights with large activations', async () => {
    const name = 'model.layers.0.self_attn.q_proj.weight';
    const plain = await precisionsIn(await bytesOf({}), name);
    const weighed = await precisionsIn(await bytesOf({ calibration: testText }), name);
    const upgraded = (blocks: Uint8Array, column: 0 | 1) =>
      blocks.filter((precision, i) => i % 2 === column && precision !== int4).length;
    expect(upgraded(plain, 0)).toBeGreaterThan(8);
    expect(upgraded(weighed, 0)).toBe(0);
    expect(upgraded(weighed, 1)).toBeGreaterThan(32);
  });

  test('gives the same bytes for a text and a list with this text', async () => {
    const once = await bytesOf({ calibration: testText });
    expect(await bytesOf({ calibration: [testText] })).toEqual(once);
    expect(await bytesOf({ calibration: 'quite another text, 0123456789' })).not.toEqual(once);
  });

  test('converts other formats to AMB before the run', async () => {
    const direct = await bytesOf({ calibration: testText });
    const gguf = (await convert(narrow, { to: 'gguf' })) as Blob;
    const weighed = await bytesOf({ calibration: testText, to: 'amb' }, gguf);
    const name = 'model.layers.1.mlp.down_proj.weight';
    expect(await precisionsIn(weighed, name)).toEqual(await precisionsIn(direct, name));
  });

  test('supports keep, and texts longer than the context', async () => {
    const bytes = await bytesOf({ calibration: testText.repeat(20), keep: /q_proj/ });
    const { tensors } = await inspect(bytes);
    const types = new Map(tensors.map(({ name, dtype }) => [name, dtype]));
    expect(types.get('model.layers.0.self_attn.q_proj.weight')).toBe('f32');
    expect(types.get('model.layers.0.self_attn.k_proj.weight')).toBe('adaptive');
  });

  test('reports its progress, and stops after an abort', async () => {
    const seen: Progress[] = [];
    const calibration = testText.repeat(40);
    await bytesOf({ calibration, onProgress: (progress) => seen.push(progress) });
    const tokens = seen.filter(({ phase }) => phase === 'calibrate');
    expect(tokens.length).toBeGreaterThan(0);
    expect(tokens.map(({ loaded }) => loaded)).toEqual(
      tokens.map(({ loaded }) => loaded).sort((a, b) => a - b),
    );
    expect(tokens.at(-1)?.total).toBeGreaterThan(calibration.length);
    expect(seen.at(-1)?.phase).toBe('convert');
    const stop = new AbortController();
    const stopped = bytesOf({
      calibration,
      signal: stop.signal,
      onProgress: ({ phase }) => {
        if (phase === 'calibrate') {
          stop.abort();
        }
      },
    });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('weighs the super-blocks of GGUF', async () => {
    const wide = languageFile({ width: 256, layers: 1 });
    const asGguf = { type: 'q3_k', to: 'gguf' } as const;
    const plain = await bytesOf(asGguf, wide);
    const weighed = await bytesOf({ ...asGguf, calibration: testText }, wide);
    expect(weighed).not.toEqual(plain);
    expect(weighed.length).toBe(plain.length);
    expect(await bytesOf({ ...asGguf, calibration: [testText] }, wide)).toEqual(weighed);
    const { tensors } = await inspect(weighed);
    const types = new Map(tensors.map(({ name, dtype }) => [name, dtype]));
    expect(types.get('blk.0.attn_q.weight')).toBe('q3_k');
    expect(types.get('blk.0.ffn_down.weight')).toBe('q4_k');
    // A GGUF file runs as it is.
    const gguf = (await convert(wide, { to: 'gguf' })) as Blob;
    const again = await bytesOf({ ...asGguf, calibration: testText }, gguf);
    // The rows of queries and keys are in another order there, so a few sums differ in their last bits.
    const differing = again.filter((byte, i) => byte !== weighed[i]).length;
    expect(again.length).toBe(weighed.length);
    expect(differing).toBeLessThan(weighed.length / 100);
  });

  test('takes a file of llama-imatrix', async () => {
    const wide = languageFile({ width: 256, layers: 1 });
    const asGguf = { type: 'q2_k', to: 'gguf' } as const;
    const plain = await bytesOf(asGguf, wide);
    const calibration = imatrixFile('blk.0.attn_q.weight', 256);
    const weighed = await bytesOf({ ...asGguf, calibration }, wide);
    const { tensors } = await inspect(weighed);
    const changed = tensors.filter(({ offset, bytes }) =>
      weighed.slice(offset, offset + bytes).some((byte, i) => byte !== plain[offset + i]),
    );
    const attention = ['attn_q', 'attn_k', 'attn_v'].map((name) => `blk.0.${name}.weight`);
    expect(changed.map(({ name }) => name).sort()).toEqual(attention.sort());
    for (const bad of [calibration.slice(0, 99), new Uint8Array(3), new Uint8Array(64).fill(70)]) {
      const refused = bytesOf({ ...asGguf, calibration: bad }, wide);
      await expect(refused).rejects.toMatchObject({ name: 'AmbryError' });
    }
  });

  test.each([
    ['no text', { calibration: '' }, 'BadValue', 'calibration'],
    ['an empty list', { calibration: [] }, 'BadValue', 'calibration'],
    ['white space', { calibration: [' \n', ''] }, 'BadValue', 'calibration'],
    ['no texts', { calibration: 8 as never }, 'BadValue', 'calibration'],
    ['a list of others', { calibration: ['a', 8] as never }, 'BadValue', 'calibration'],
    ['another type', { calibration: testText, type: 'int8' }, 'BadValue', 'calibration'],
    ['q8_0', { calibration: testText, type: 'q8_0', to: 'gguf' }, 'BadValue', 'calibration'],
    ['too few bits', { calibration: testText, bits: 4 }, 'BadValue', 'options.bits'],
    ['another format', { calibration: testText, to: 'embd' }, 'BadValue', 'options.type'],
  ] as const)('refuses %s', async (_, options, code, path) => {
    await expect(bytesOf(options)).rejects.toMatchObject({ code, path });
  });

  test('reports a model that cannot run', async () => {
    const silent = bytesOf({ calibration: testText }, ambFile());
    await expect(silent).rejects.toMatchObject({ code: 'Unsupported', path: 'calibration' });
    const encoder = bytesOf({ calibration: testText, to: 'amb' }, await smallModel());
    await expect(encoder).rejects.toMatchObject({ name: 'AmbryError' });
    const broken = languageFile({}, (name, numbers) => {
      if (name.includes('down_proj')) {
        numbers.fill(3e38);
      }
    });
    const grown = bytesOf({ calibration: testText }, broken);
    await expect(grown).rejects.toMatchObject({ code: 'BadValue', path: 'layers[0].mlp' });
  });

  test('lone surrogates are read as U+FFFD', async () => {
    const bytes = await bytesOf({ calibration: 'a \ud800 b' });
    expect(bytes).toEqual(await bytesOf({ calibration: 'a \ufffd b' }));
  });
});
