// Splits chunks into lines.
import { describe, expect, test } from 'vitest';
import { decodeLine, type Line, lineGroups } from '../../../../web/src/cli/shared/read-lines.ts';

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    yield Buffer.from(text);
  }
}

async function groupsOf(input: AsyncIterable<Uint8Array>): Promise<string[][]> {
  const groups: string[][] = [];
  for await (const lines of lineGroups(input)) {
    groups.push(lines.map(decodeLine));
  }
  return groups;
}

describe('lineGroups', () => {
  test('groups the lines that end in one chunk', async () => {
    expect(await groupsOf(chunks('a\nb\n', 'c', 'd\ne\r\n\nf'))).toEqual([
      ['a', 'b'],
      ['cd', 'e', ''],
      ['f'],
    ]);
    expect(await groupsOf(chunks(''))).toEqual([]);
    expect(await groupsOf(chunks('a\n'))).toEqual([['a']]);
  });

  test('a chunk may end within a character', async () => {
    const bytes = Buffer.from('ö🐈\n');
    const parts = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const input = (async function* () {
      yield* parts;
    })();
    expect(await groupsOf(input)).toEqual([['ö🐈']]);
  });

  test('a line above 64 MiB is dropped, and the next one is complete', async () => {
    const mebibyte = new Uint8Array(2 ** 20).fill(0x61);
    const input = (async function* () {
      for (let i = 0; i < 65; i++) {
        yield mebibyte;
      }
      yield Buffer.from('\nnext\n');
    })();
    const all: Line[] = [];
    for await (const lines of lineGroups(input)) {
      all.push(...lines);
    }
    expect(all.map(({ number }) => number)).toEqual([1, 2]);
    expect(() => decodeLine(all[0] as Line)).toThrow(
      expect.objectContaining({ code: 'LimitExceeded', path: 'line 1' }),
    );
    expect(decodeLine(all[1] as Line)).toBe('next');
  });
});
