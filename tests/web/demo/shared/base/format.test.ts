import { expect, test } from 'vitest';
import {
  formatAmount,
  formatBytes,
  formatRoughly,
  formatScore,
} from '../../../../../web/demo/shared/base/format.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [4_312_345, '4.3 MB'],
  [2_500_000_000, '2.5 GB'],
  [7_000_000_000_000, '7,000 GB'],
])('%d bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0.01234, '0.012'],
  [3.16, '3.2'],
  [99.7, '100'],
  [123.4, '123'],
  [1234.5, '1,235'],
])('%d is rounded to %s', (value, text) => {
  expect(formatRoughly(value)).toBe(text);
});

test('the noun of an amount is singular or plural', () => {
  expect(formatAmount(1, 'passage')).toBe('1 passage');
  expect(formatAmount(1234, 'passage')).toBe('1,234 passages');
});

test('scores have three digits and a minus sign, not a hyphen', () => {
  expect(formatScore(0.41449)).toBe('0.414');
  expect(formatScore(-0.0625)).toBe('−0.063');
});
