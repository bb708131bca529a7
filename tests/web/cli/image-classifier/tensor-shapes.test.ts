// `ambry classify` and `quantize` with arrays of NumPy: which shapes are taken.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { networkFile, networkPlan } from '../../support/files/network-file.ts';
import { folderForAllTests } from '../../support/for-all-tests.ts';

const folder = folderForAllTests('ambry-tensor-shapes');
const at = (name: string) => join(folder, name);
const input = [3, 4, 4] as const;

writeFileSync(at('net.bin'), networkFile(3));
const image = { mean: [0, 0, 0], std: [1, 1, 1] };
writeFileSync(at('plan.json'), JSON.stringify({ ...networkPlan, input, image }));

const values = Float32Array.from({ length: 48 }, (_, i) => Math.sin(i));
/** `values` with the channels last. */
const channelsLast = Float32Array.from(
  values,
  (_, i) => values[(i % 3) * 16 + (i - (i % 3)) / 3] ?? 0,
);

function npy(name: string, shape: string, data: Float32Array): string {
  const dictionary = `{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117);
  const head = Buffer.from(`\x93NUMPY\x01\0v\0${dictionary}\n`, 'latin1');
  writeFileSync(at(name), Buffer.concat([head, Buffer.from(data.buffer)]));
  return at(name);
}

const classify = (file: string) =>
  ambryCli(['classify', at('net.bin'), file, '--plan', at('plan.json'), '--json']);

const logitsOf = async (file: string) => {
  const { code, err, json } = await classify(file);
  expect(code, err).toBe(0);
  return (json()[0] as { logits: number[] }).logits;
};

describe('classify', async () => {
  const wanted = await logitsOf(npy('given.npy', '(3, 4, 4)', values));

  test.each([
    ['(1, 3, 4, 4)', values],
    ['(4, 4, 3)', channelsLast],
    ['(1, 4, 4, 3)', channelsLast],
  ])('takes the shape %s', async (shape, data) => {
    expect(await logitsOf(npy('same.npy', shape, data))).toEqual(wanted);
  });

  test('takes raw values channel by channel', async () => {
    writeFileSync(at('raw.f32'), new Uint8Array(values.buffer));
    expect(await logitsOf(at('raw.f32'))).toEqual(wanted);
  });

  test.each([
    '(48,)',
    '(3, 16)',
    '(4, 3, 4)',
    '(6, 4, 2)',
    '(2, 3, 4, 2)',
    '(48, 1)',
  ])('refuses the shape %s, although the number of values is right', async (shape) => {
    const { code, out, err } = await classify(npy('odd.npy', shape, values));
    expect(code).toBe(2);
    expect(out + err).toContain(
      'but the network takes (3, 4, 4), or (4, 4, 3) with the channels last',
    );
  });

  test('refuses a file that has fewer values than its header says', async () => {
    const { code, out, err } = await classify(
      npy('cut.npy', '(3, 4, 4)', values.subarray(0, 40).slice()),
    );
    expect(code).toBe(2);
    expect(out + err).toContain('has 40 values, but its header promises 48');
  });

  test.each([
    ['HEIC', '\0\0\0\x18ftypheic'],
    ['BMP', 'BM6\0\0\0\0\0\0\x006\0\0\0(\0\0\0'],
    ['TIFF', 'II*\0'],
  ])('names a picture of the kind %s', async (kind, head) => {
    writeFileSync(at('other'), Buffer.from(head.padEnd(49, '\0'), 'latin1'));
    const { code, out } = await classify(at('other'));
    expect(code).toBe(1);
    expect(out).toContain(`This is a file of the kind ${kind}.`);
  });
});

describe('quantize --images', () => {
  const quantize = (file: string, target: string) =>
    ambryCli([
      ...['quantize', at('net.bin'), at(target), '--type', 'sq8', '--force'],
      ...['--images', file, '--plan', at('plan.json'), '--json'],
    ]);

  test('transposes channels that come last', async () => {
    const first = await quantize(npy('first.npy', '(3, 4, 4)', values), 'a.bin');
    expect(first.code, first.err).toBe(0);
    const last = await quantize(npy('last.npy', '(4, 4, 3)', channelsLast), 'b.bin');
    expect(last.code, last.err).toBe(0);
    expect(readFileSync(at('b.bin'))).toEqual(readFileSync(at('a.bin')));
  });

  test('refuses another shape', async () => {
    const { code, out, err } = await quantize(npy('flat.npy', '(48,)', values), 'c.bin');
    expect(code).toBe(2);
    expect(out + err).toContain('has the shape (48,)');
  });
});
