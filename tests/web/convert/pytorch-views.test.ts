// Checkpoints whose tensors are views of others: slices, steps, transposed and expanded ones. Each value is, to the bit, that
// of torch.load (tests/reference/pytorch_views.py).
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ambry } from '../support/package.ts';

interface Wanted {
  readonly dtype: keyof typeof types;
  readonly shape: readonly number[];
  /** Hexadecimal. */
  readonly bytes: string;
}

/** What safetensors calls PyTorch's types. */
const types = { float64: 'F64', float32: 'F32', float16: 'F16', bfloat16: 'BF16' } as const;

const fixture = (name: string) => new URL(`../../fixtures/pytorch/${name}`, import.meta.url);
const wanted = JSON.parse(readFileSync(fixture('views.json'), 'utf8')) as Record<string, Wanted>;

test('views become tensors of their own, with the bits of torch.load', async () => {
  const checkpoint = new Blob([Uint8Array.from(readFileSync(fixture('views.pt')))]);
  const made = await ambry.convert(checkpoint, { to: 'safetensors' });
  const file = Buffer.from(await made.arrayBuffer());
  const start = 8 + Number(file.readBigUInt64LE());
  const { __metadata__: _, ...tensors } = JSON.parse(file.toString('utf8', 8, start));
  const found = Object.fromEntries(
    Object.entries<{ dtype: string; shape: number[]; data_offsets: [number, number] }>(tensors).map(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [begin, end],
        },
      ]) => {
        const bytes = file.toString('hex', start + begin, start + end);
        return [name, { dtype, shape, bytes }];
      },
    ),
  );
  expect(found).toEqual(
    Object.fromEntries(
      Object.entries(wanted).map(([name, { dtype, shape, bytes }]) => [
        name,
        { dtype: types[dtype], shape, bytes },
      ]),
    ),
  );
});
