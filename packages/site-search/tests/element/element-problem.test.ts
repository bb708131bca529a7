// Which message an error becomes.
import { AmbryError } from 'ambry/static-encoder';
import { describe, expect, test } from 'vitest';
import { MissingScript, problemOf } from '../../src/element/problem.ts';

const http = (path: string, cause?: unknown) =>
  new AmbryError('Http', 'no answer', { path, ...(cause !== undefined && { cause }) });

describe('an error', () => {
  test.each([
    ['a manifest that is not there', http('manifest.json'), 'missing', false],
    ['a server that does not answer', http('manifest.json', new TypeError()), 'unreachable', false],
    ['a server that fails', http('texts/x/0.bin'), 'unreachable', false],
    ['a file that is gone', new AmbryError('NotFound', 'x', { path: 'texts/x' }), 'stale', true],
    ['another file', new AmbryError('Mismatch', 'x', { path: 'texts/x' }), 'stale', true],
    ['a script that is gone', new MissingScript('x'), 'stale', true],
    [
      'a script that another one imports',
      new TypeError('Failed to fetch dynamically imported module: x'),
      'stale',
      true,
    ],
    [
      'a page as manifest',
      new AmbryError('BadValue', 'x', { path: 'manifest' }),
      'unreadable',
      true,
    ],
    [
      'a newer index',
      new AmbryError('UnsupportedVersion', 'x', { path: 'manifest.version' }),
      'unreadable',
      true,
    ],
    ['a wrong k', new AmbryError('BadValue', 'x', { path: 'options.k' }), 'wrongSettings', false],
    [
      'an unknown filter',
      new AmbryError('NotFound', 'x', { path: 'options.facets' }),
      'wrongSettings',
      false,
    ],
    [
      'a missing src',
      new AmbryError('BadValue', 'x', { path: 'element.src' }),
      'wrongSettings',
      false,
    ],
    ['a crash', new AmbryError('Crashed', 'x'), 'failed', false],
    ['something else', new RangeError('x'), 'failed', false],
    ['no error at all', 'x', 'failed', false],
  ])('%s is told as such', (_, error, kind, reload) => {
    expect(problemOf(error, true)).toMatchObject({ kind, reload, details: expect.any(String) });
  });

  test.each([
    http('manifest.json', 1),
    new MissingScript('x'),
    new TypeError('Importing a module script failed.'),
    new AmbryError('NotFound', 'x'),
  ])('without a network says so', (error) => {
    expect(problemOf(error, false)).toMatchObject({ kind: 'offline', reload: false });
  });
});
