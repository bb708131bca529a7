import type { Problem } from 'ambry';
import { describe, expect, it } from 'vitest';
import { cutOffLine, cutOffOf } from '../../../../../web/demo/shared/failures/cut-off.ts';
import { tailLine } from '../../../../../web/demo/shared/failures/tail.ts';

const cut: Problem = { code: 'Truncated', message: 'ends early', byteOffset: 8 };
const wrong: Problem = { code: 'BadValue', message: 'not valid UTF-8', byteOffset: 20 };

describe('a file that is cut off', () => {
  it('is told by its errors', () => {
    expect(cutOffOf([cut])).toEqual({ whole: null });
    expect(cutOffOf([cut, { ...cut, wholeBytes: 90 }])).toEqual({ whole: 90 });
    expect(cutOffOf([])).toBeNull();
    expect(cutOffOf([cut, wrong])).toBeNull();
  });

  it('is not one that is empty, or whose size is that of a damaged header', () => {
    expect(cutOffOf([{ ...cut, message: 'the file is empty' }])).toBeNull();
    expect(cutOffOf([{ ...cut, wholeBytes: 2 ** 50 }])).toBeNull();
  });

  it('is said with the bytes that are known', () => {
    expect(cutOffLine({ whole: 395_296 }, 197_648)).toBe(
      'Cut off: 197,648 of 395,296 bytes are here. Get it again.',
    );
    expect(cutOffLine({ whole: 10 }, 12)).toBe(
      'Cut off: only the first 12 bytes are here. Get it again.',
    );
    expect(cutOffLine({ whole: 5000 }, undefined)).toBe(
      'Cut off: not all of its 5,000 bytes are here. Get it again.',
    );
    expect(cutOffLine({ whole: null }, undefined)).toBe(
      'Cut off: its end is missing. Get it again.',
    );
  });
});

describe('what follows behind a model', () => {
  const file = (tail: Uint8Array<ArrayBuffer>) =>
    new File([new Uint8Array(100).fill(7), tail], 'a');
  const warning: Problem = { code: 'BadValue', message: '50 bytes follow', byteOffset: 100 };

  it('are zeros or other bytes', async () => {
    const report = { errors: [], warnings: [warning] };
    expect(await tailLine(file(new Uint8Array(50)), report)).toBe(
      'The model ends at byte 100. Behind it are 50 zeros, which do not belong to it.',
    );
    expect(await tailLine(file(new Uint8Array(50).fill(1)), report)).toContain('50 other bytes');
  });

  it('is told by the stated size, too', async () => {
    const message = 'the header states 100 bytes, but the file goes on to 150';
    const report = { errors: [{ ...warning, code: 'Mismatch' as const, message }], warnings: [] };
    expect(await tailLine(file(new Uint8Array(50)), report)).toContain('50 zeros');
  });

  it('is not told of a damaged file, and not of other warnings', async () => {
    const given = file(new Uint8Array(50));
    expect(await tailLine(given, { errors: [wrong], warnings: [warning] })).toBe('');
    expect(await tailLine(given, { errors: [], warnings: [wrong] })).toBe('');
  });
});
