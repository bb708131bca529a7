// Lines out of chunks, as they come.
import { describe, expect, test } from 'vitest';
import { type Line, lineGroups, textOfLine } from '../../../../web/src/cli/shared/line-input.ts';

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function groupsOf(input: AsyncIterable<Uint8Array>): Promise<string[][]> {
  const groups: string[][] = [];
  for await (const lines of lineGroups(input)) groups.push(lines.map(textOfLine));
  return groups;
}

describe('lineGroups', () => {
  test('gives together what came together', async () => {
    expect(await groupsOf(chunks('a\nb\n', 'c', 'd\ne\r\n\nf'))).toEqual([
      ['a', 'b'],
      ['cd', 'e', ''],
      ['f'],
    ]);
    expect(await groupsOf(chunks(''))).toEqual([]);
    expect(await groupsOf(chunks('a\n'))).toEqual([['a']]);
  });

  test('characters may be cut by chunks', async () => {
    const bytes = Buffer.from('ö🐈\n');
    const parts = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const input = (async function* () {
      yield* parts;
    })();
    expect(await groupsOf(input)).toEqual([['ö🐈']]);
  });

  test('a line beyond 64 MiB is not held, and the next one is whole', async () => {
    const mebibyte = new Uint8Array(2 ** 20).fill(0x61);
    const input = (async function* () {
      for (let i = 0; i < 65; i++) yield mebibyte;
      yield Buffer.from('\nnext\n');
    })();
    const all: Line[] = [];
    for await (const lines of lineGroups(input)) all.push(...lines);
    expect(all.map(({ number }) => number)).toEqual([1, 2]);
    expect(() => textOfLine(all[0] as Line)).toThrow(
      expect.objectContaining({ code: 'LimitExceeded', path: 'line 1' }),
    );
    expect(textOfLine(all[1] as Line)).toBe('next');
  });
});
