// How much is asked for, and what that costs for files like those of the issue.
import { expect, test } from 'vitest';
import { ReadAhead } from '../../../web/src/sources/read-ahead.ts';

/** Reads the ranges as a parser does, which starts again after every part; says what it cost. */
function cost(ranges: readonly (readonly [number, number])[]) {
  const ahead = new ReadAhead();
  const held: [number, number][] = [];
  let [requests, bytes] = [0, 0];
  for (const [offset, size] of ranges) {
    for (let at = offset; at < offset + size; ) {
      const inside = held.find(([begin, end]) => at >= begin && at < end);
      if (inside) {
        at = inside[1];
        continue;
      }
      const length = ahead.take(at, offset + size - at);
      held.push([at, at + length]);
      requests++;
      bytes += length;
    }
  }
  return { requests, bytes };
}

test('requests grow while a parser reads on', () => {
  const ahead = new ReadAhead();
  const sizes = [0, 1, 2, 3, 4].map(
    (() => {
      let at = 0;
      return () => {
        const size = ahead.take(at, 4);
        at += size;
        return size / 1024;
      };
    })(),
  );
  expect(sizes).toEqual([64, 256, 1024, 4096, 4096]);
});

test('requests are small while a parser jumps over 300 tensors', () => {
  const step = 3_500_000;
  const headers = Array.from({ length: 300 }, (_, i) => [1_000_000 + i * step, 60] as const);
  const { requests, bytes } = cost([[0, 28], [28, 4000], ...headers]);
  expect(requests).toBeLessThanOrEqual(301);
  expect(bytes).toBeLessThan(1_000_000);
});

test('reading the end does not change the requests at the head', () => {
  const { requests, bytes } = cost([
    [0, 64],
    [1_000_000_000, 16],
    [64, 800],
    [900, 230_000],
    [230_900, 4000],
    [234_900, 9000],
  ]);
  expect(requests).toBe(3);
  expect(bytes).toBeLessThan(400_000);
});

test('five megabytes of small fields take four requests', () => {
  const fields = Array.from({ length: 50_000 }, (_, i) => [i * 100, 100] as const);
  expect(cost(fields).requests).toBe(4);
});
