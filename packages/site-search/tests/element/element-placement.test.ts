// Where the panel is.
import { describe, expect, test } from 'vitest';
import { type Box, placePanel } from '../../src/element/placement.ts';

const view: Box = { top: 0, bottom: 900, left: 0, right: 1280 };
const field = (left: number, top: number, width = 240): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + 40,
});

describe('the panel', () => {
  test('is below the field and begins with it', () => {
    const place = placePanel(field(100, 20), view, 900, false);
    expect(place).toEqual({ left: 100, width: 640, maxHeight: 640, top: 68 });
  });

  test('ends with the field where one reads from right to left', () => {
    expect(placePanel(field(900, 20), view, 900, true)).toMatchObject({ left: 500, width: 640 });
  });

  test.each([
    [1000, false],
    [20, true],
  ])('stays in the view for a field at %s', (left, isRightToLeft) => {
    const { left: from, width } = placePanel(field(left, 20), view, 900, isRightToLeft);
    expect(from).toBeGreaterThanOrEqual(8);
    expect(from + width).toBeLessThanOrEqual(1272);
  });

  test('is as wide as a phone, and above its keyboard', () => {
    const phone: Box = { top: 0, bottom: 400, left: 0, right: 390 };
    const place = placePanel(field(60, 10, 200), phone, 844, false);
    expect(place).toEqual({ left: 8, width: 374, maxHeight: 334, top: 58 });
  });

  test('is above a field near the bottom', () => {
    const place = placePanel(field(100, 820), view, 900, false);
    expect(place).toEqual({ left: 100, width: 640, maxHeight: 640, bottom: 88 });
  });

  test('is as wide as a wide field', () => {
    expect(placePanel(field(100, 20, 800), view, 900, false).width).toBe(800);
  });
});
