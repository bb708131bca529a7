import { describe, expect, test } from 'vitest';
import {
  asIndexed,
  asWaiting,
  countWaiting,
  newId,
  takeWaiting,
} from '../../../../../web/demo/search/documents/passage-queue.ts';
import { workersFor } from '../../../../../web/demo/search/indexing/indexing.ts';
import { formatDuration, Pace } from '../../../../../web/demo/search/indexing/throughput.ts';
import { countPassages, type DocumentSource } from '../../../../../web/demo/search/state.ts';
import { linesOf, readPassages } from '../../../../../web/demo/search/storage/passage-lines.ts';

function source(name: string, done: number, waiting: number): DocumentSource {
  const passages = (count: number, from: number) =>
    Array.from({ length: count }, (_, n) => ({ text: `${name} ${from + n}` }));
  return { id: name, name, passages: passages(done, 0), waiting: passages(waiting, done) };
}

const textsOf = (passages: readonly { readonly text: string }[]) =>
  passages.map(({ text }) => text);

describe('takeWaiting', () => {
  test('takes from one document after another, in order', () => {
    const { docs, after } = takeWaiting([source('a', 1, 2), source('b', 0, 3)], 4);
    expect(textsOf(docs)).toEqual(['a 1', 'a 2', 'b 0', 'b 1']);
    expect(textsOf(after[0]?.passages ?? [])).toEqual(['a 0', 'a 1', 'a 2']);
    expect(after[0]?.waiting).toBeUndefined();
    expect(textsOf(after[1]?.waiting ?? [])).toEqual(['b 2']);
    expect([countPassages(after), countWaiting(after)]).toEqual([5, 1]);
  });

  test('leaves documents alone of which nothing waits', () => {
    const done = source('a', 2, 0);
    const { docs, after } = takeWaiting([done, source('b', 0, 1)], 10);
    expect(textsOf(docs)).toEqual(['b 0']);
    expect(after[0]).toBe(done);
    expect(takeWaiting(after, 10).docs).toEqual([]);
  });

  test('loses nothing on the way there and back', () => {
    const mixed = source('a', 2, 3);
    expect(textsOf(asIndexed(mixed).passages)).toHaveLength(5);
    expect(textsOf(asWaiting(mixed).waiting ?? [])).toEqual(textsOf(asIndexed(mixed).passages));
    expect(asWaiting(mixed).id).toBe('a');
  });
});

test('documents come back from their lines', () => {
  const given = [source('a', 1, 2), source('b', 0, 5000), source('empty', 0, 0)];
  const passages = new Map();
  readPassages([...linesOf(given)].join(''), passages);
  expect([...passages.keys()]).toEqual(['a', 'b', 'empty']);
  expect(passages.get('a')).toEqual([{ text: 'a 0' }, { text: 'a 1' }, { text: 'a 2' }]);
  expect(passages.get('b')).toHaveLength(5000);
});

test('lines that were cut off are refused', () => {
  const text = [...linesOf([source('a', 0, 2)])].join('').replace('}\n', '\n');
  expect(() => readPassages(text, new Map())).toThrow(SyntaxError);
});

test('ids differ', () => {
  expect(new Set(Array.from({ length: 100 }, newId)).size).toBe(100);
});

describe('workersFor', () => {
  const small = { weightBytes: 4e6 };
  const large = { weightBytes: 130e6 };

  test.each([
    ['a small model on two cores', small, 5000, { cores: 2, gigabytes: 8 }, 2],
    ['a small model on eight cores', small, 5000, { cores: 8, gigabytes: 8 }, 4],
    ['one core', small, 5000, { cores: 1, gigabytes: 8 }, 1],
    ['few passages', small, 100, { cores: 8, gigabytes: 8 }, 1],
    ['a large model', large, 5000, { cores: 8, gigabytes: 8 }, 1],
    ['little memory', { weightBytes: 40e6 }, 5000, { cores: 8, gigabytes: 0.5 }, 1],
    ['memory that the browser hides', small, 5000, { cores: 4, gigabytes: undefined }, 3],
  ])('%s', (_, model, passages, machine, workers) => {
    expect(workersFor(model, passages, machine)).toBe(workers);
  });
});

describe('Pace', () => {
  test('says nothing before it knows', () => {
    const pace = new Pace();
    expect(pace.remark(0, 0, 100)).toBe('');
    expect(pace.remark(100, 10, 100)).toBe('');
  });

  test('says how many a second and how long the rest takes', () => {
    const pace = new Pace();
    pace.remark(0, 0, 10_000);
    expect(pace.remark(1000, 500, 10_000)).toBe('500 a second, 19 s left');
    expect(pace.remark(2000, 2000, 10_000)).toBe('1,000 a second, 8 s left');
  });

  test('forgets what was long ago', () => {
    const pace = new Pace();
    pace.remark(0, 0, 1000);
    pace.remark(60_000, 1, 1000);
    expect(pace.remark(62_000, 5, 1000)).toBe('2.0 a second, 8 min left');
  });

  test('says nothing while nothing moves', () => {
    const pace = new Pace();
    pace.remark(0, 7, 100);
    expect(pace.remark(5000, 7, 100)).toBe('');
  });

  test.each([
    [0.2, '1 s'],
    [59, '59 s'],
    [60, '1 min'],
    [3599, '1 h'],
    [4200, '1 h 10 min'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});
