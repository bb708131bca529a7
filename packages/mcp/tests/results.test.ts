// Cutting what is long, and progress as the protocol has it.
import type { Progress } from 'ambry';
import { describe, expect, test } from 'vitest';
import { type ProgressNotice, progressSender } from '../src/results/progress.ts';
import {
  cutText,
  firstMembers,
  firstOf,
  Room,
  shortName,
  shortValue,
} from '../src/results/shorten.ts';

describe('a text', () => {
  test('is cut before half a character', () => {
    expect(cutText('a😀b', 2)).toBe('a');
    expect(cutText('a😀b', 3)).toBe('a😀');
    expect(cutText('ab', -1)).toBe('');
  });

  test('that is a name is shown as it is, and counted', () => {
    expect(shortName('a\u202eb')).toBe('a\\u202eb');
    expect(shortName('x'.repeat(300))).toBe(`${'x'.repeat(200)}… (300 characters)`);
  });
});

test('values are shortened to JSON', () => {
  expect(shortValue({ a: 2n ** 60n, b: Number.NaN, c: undefined })).toEqual({
    a: '1152921504606846976',
    b: 'NaN',
    c: null,
  });
  expect(shortValue(Array.from({ length: 10 }, (_, i) => i))).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6, 7],
    '… (2 more)',
  ]);
  expect(shortValue(Float32Array.of(1, 2))).toEqual([1, 2]);
  expect(JSON.stringify(shortValue([[[[[1]]]]]))).toBe('[[[["…"]]]]');
});

test('lists and members end where there is no room', () => {
  expect(firstOf(['aaaa', 'bbbb', 'cccc'], new Room(14), 10)).toEqual({
    shown: ['aaaa', 'bbbb'],
    leftOut: 1,
  });
  expect(firstOf([1, 2, 3], new Room(100), 2)).toEqual({ shown: [1, 2], leftOut: 1 });
  const members = firstMembers({ a: 1, b: 'x'.repeat(50) }, new Room(20), 10);
  expect(members).toEqual({ shown: { a: 1 }, leftOut: 1 });
});

test('progress grows over phases, and comes at most ten times a second', () => {
  const sent: ProgressNotice[] = [];
  let time = 0;
  const listen = progressSender(
    (notice) => sent.push(notice),
    () => time,
  );
  const tell = (phase: Progress['phase'], loaded: number, total: number, at: number) => {
    time = at;
    listen({ phase, loaded, total, cached: false } as Progress);
  };
  tell('download', 10, 100, 0);
  tell('download', 20, 100, 10);
  tell('download', 50, 100, 200);
  tell('load', 0, 0, 210);
  tell('embed', 1, 2, 220);
  tell('embed', 0, 4, 400);
  tell('embed', 2, 4, 600);
  expect(sent.map(({ progress }) => progress)).toEqual([0.1, 0.5, 1, 2.5, 3, 3.5]);
  expect(sent[0]?.message).toBe('download: 10 of 100');
  expect(sent[2]?.message).toBe('load: 0');
});
