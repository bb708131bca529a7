// Integers of metadata beyond 2^53 keep their digits.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exactJson } from '../../../web/src/base/exact-json.ts';
import { ambryCli } from '../support/cli/cli.ts';
import { folderForAllTests } from '../support/for-all-tests.ts';
import { ambry } from '../support/package.ts';

const folder = folderForAllTests('ambry-large-integers');

/** A GGUF file without tensors, whose metadata are integers. */
function ggufOf(values: Readonly<Record<string, bigint | readonly bigint[]>>): Buffer {
  const numbers = (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt.asIntN(64, value));
    return bytes;
  };
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const text = (value: string) =>
    Buffer.concat([numbers(BigInt(value.length)), Buffer.from(value)]);
  const typeOf = (value: bigint) => u32(value < 0n ? 11 : 10);
  const one = (value: bigint | readonly bigint[]) =>
    typeof value === 'bigint'
      ? [typeOf(value), numbers(value)]
      : [u32(9), typeOf(value[0] ?? 0n), numbers(BigInt(value.length)), ...value.map(numbers)];
  const rows = Object.entries(values).flatMap(([key, value]) => [text(key), ...one(value)]);
  const architecture = [text('general.architecture'), u32(8), text('llama')];
  const count = numbers(BigInt(Object.keys(values).length + 1));
  return Buffer.concat([Buffer.from('GGUF'), u32(3), numbers(0n), count, ...architecture, ...rows]);
}

const values = {
  most: 2n ** 64n - 1n,
  least: -(2n ** 63n),
  exact: 2n ** 53n - 1n,
  first: 2n ** 53n,
  below: -(2n ** 53n),
  several: [1n, 9223372036854775809n],
};
const file = join(folder, 'integers.gguf');
writeFileSync(file, ggufOf(values));

describe('an integer beyond 2^53', () => {
  test('is a bigint in the library', async () => {
    const { metadata } = await ambry.inspect({ path: file });
    expect(metadata).toMatchObject({
      most: 18446744073709551615n,
      least: -9223372036854775808n,
      exact: 9007199254740991,
      first: 9007199254740992n,
      below: -9007199254740992n,
      several: [1, 9223372036854775809n],
    });
    expect(metadata).not.toHaveProperty('largeIntegers');
  });

  test.each([
    ['metadata', file, '--json'],
    ['inspect', file, '--json'],
    ['inspect', file],
  ])('keeps its digits in `%s`', async (...args) => {
    const { code, out } = await ambryCli(args);
    expect(code).toBe(0);
    for (const value of Object.values(values).flat()) {
      expect(out).toContain(String(value));
    }
    expect(out).not.toContain('000000');
  });
});

describe('exactJson', () => {
  test.each([
    [{ a: 1n, b: ['2', -3n] }, '{"a":1,"b":["2",-3]}'],
    [{ a: 'x:5', b: 2.5 }, '{"a":"x:5","b":2.5}'],
    [18446744073709551615n, '18446744073709551615'],
  ])('%o', (value, text) => {
    expect(exactJson(value)).toBe(text);
  });
});
