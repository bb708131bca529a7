// `ambry embed`: vectors as JSON, as text and as a NumPy file.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { openEncoder } from '../../support/open-kinds.ts';

const { model } = await cliFolder();

describe('embed', () => {
  test('JSON, text and NumPy output have the same values', async () => {
    const texts = ['--text', 'the cat', '--text', 'dog'];
    const lines = (await ambryCli(['embed', model, ...texts, '--json'])).json() as {
      text: string;
      vector: number[];
    }[];
    expect(lines.map(({ text }) => text)).toEqual(['the cat', 'dog']);
    expect(Math.hypot(...(lines[0]?.vector ?? []))).toBeCloseTo(1, 5);
    const plain = await ambryCli(['embed', model, ...texts]);
    const rows = plain.out.trim().split('\n');
    expect(rows.map((row) => row.split(' ').map(Number))).toEqual(
      lines.map(({ vector }) => vector),
    );
    const npy = (await ambryCli(['embed', model, ...texts, '--npy', '-'])).stdout;
    const start = 10 + npy.readUInt16LE(8);
    expect(start % 64).toBe(0);
    expect(npy.subarray(10, start).toString()).toMatch(/'<f4'.*'shape': \(2, 32\)/);
    const values = Array.from({ length: 64 }, (_, i) => npy.readFloatLE(start + 4 * i));
    expect(values).toEqual(lines.flatMap(({ vector }) => vector.map(Math.fround)));
  });

  test('options change the vectors', async () => {
    const vector = async (...args: string[]) => {
      const { json } = await ambryCli(['embed', model, '--text', 'the cat', '--json', ...args]);
      return (json() as { vector: number[] }[])[0]?.vector ?? [];
    };
    const own = await vector();
    expect(await vector('--pooling', 'cls')).not.toEqual(own);
    expect(await vector('--weights', 'int8')).not.toEqual(own);
    expect(await vector('--prompt', 'dog ')).not.toEqual(own);
    await using exact = await openEncoder(await readFile(model), {
      deterministic: true,
      weights: 'int8',
    });
    const row = Array.from(await exact.embed('the cat'));
    const printed = await vector('--deterministic', '--weights', 'int8');
    expect(printed.map(Math.fround)).toEqual(row);
    expect(await vector('--dim', '4')).toHaveLength(4);
    expect(Math.hypot(...(await vector('--no-normalize')))).not.toBeCloseTo(1, 3);
    expect(await vector('--pooling', 'none')).toHaveLength(4);
  });

  test('a text that is too long fails with 1', async () => {
    const text = 'cat '.repeat(100);
    const { code, json } = await ambryCli([
      ...['embed', model, '--text', text, '--truncate', 'error', '--json'],
    ]);
    expect(code).toBe(1);
    expect(json()).toMatchObject([{ error: { code: expect.any(String) } }]);
  });
});
