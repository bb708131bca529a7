// Warnings on standard error: those that differ only in their place share a line.
import { expect, test } from 'vitest';
import { describeWarnings } from '../../../../web/src/cli/shared/failure.ts';
import type { Problem } from '../../../../web/src/entries/types.ts';

const warning = (path: string | undefined, message: string): Problem => ({
  code: 'Unsupported',
  message,
  ...(path !== undefined && { path }),
});

test('alike warnings share a line, in the order of the first', () => {
  const given = [
    warning('a.weight', 'stored as f16'),
    warning('b.weight', 'left out'),
    warning('c.weight', 'stored as f16'),
    warning('d.weight', 'stored as f16'),
  ];
  expect(describeWarnings(given)).toEqual([
    'Unsupported a.weight and 2 more: stored as f16',
    'Unsupported b.weight: left out',
  ]);
});

test('warnings without a place, and other codes, stay as they are', () => {
  const other: Problem = { code: 'NotFound', message: 'stored as f16', path: 'a.weight' };
  expect(
    describeWarnings([warning(undefined, 'slow'), warning('a.weight', 'stored as f16'), other]),
  ).toEqual([
    'Unsupported: slow',
    'Unsupported a.weight: stored as f16',
    'NotFound a.weight: stored as f16',
  ]);
  expect(describeWarnings([])).toEqual([]);
});
