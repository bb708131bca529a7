// What messages show of an address, and how reasons end.
import { expect, test } from 'vitest';
import { messageOf, shownUrl } from '../src/failure.ts';

test.each([
  ['redis://127.0.0.1:6379/0', 'redis://127.0.0.1:6379/0'],
  ['redis://user@host', 'redis://user@host'],
  ['redis://:secret@host', 'redis://:***@host'],
  ['postgres://me:secret@host:5432/data', 'postgres://me:***@host:5432/data'],
  ['redis://:p@secret@host', 'redis://:***@host'],
  ['redis://:p@secret/w@host/1', 'redis://:***@host/1'],
  ['redis://:p#sec?ret\n@host', 'redis://:***@host'],
])('%j is shown without its password', (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});

test.each([
  [new Error('is disabled.'), 'is disabled'],
  [new Error('and so on...'), 'and so on...'],
  [new Error(''), 'Error'],
  [new AggregateError([new Error('a.'), 'b']), 'a, b'],
])('the reason of %o has no full stop', (error, reason) => {
  expect(messageOf(error)).toBe(reason);
});
