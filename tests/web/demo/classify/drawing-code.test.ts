// Drawings in links.
import { describe, expect, it, test } from 'vitest';
import {
  codeOf,
  drawingSide,
  greysIn,
  greysOf,
  maxCodeLength,
} from '../../../../web/demo/classify/picture/drawing-code.ts';

const count = drawingSide * drawingSide;

describe('the code of a drawing', () => {
  it('comes back as it was, also at its longest', () => {
    const drawings = [
      new Uint8Array(count),
      new Uint8Array(count).fill(15),
      Uint8Array.from({ length: count }, (_, i) => i % 16),
      Uint8Array.from({ length: count }, (_, i) => (i * i) % 7),
    ];
    for (const greys of drawings) {
      const code = codeOf(greys);
      expect(code.length).toBeLessThanOrEqual(maxCodeLength);
      expect(code).toMatch(/^[\w-]+$/);
      expect(greysOf(code)).toEqual(greys);
    }
  });

  it('is short for strokes', () => {
    const stroke = new Uint8Array(count);
    for (let y = 4; y < 24; y += 1) {
      stroke.set([6, 15, 15, 6], y * drawingSide + 12);
    }
    expect(codeOf(stroke).length).toBeLessThan(250);
  });

  test.each([
    ['nothing', ''],
    ['too few pixels', 'AAAA'],
    ['too many pixels', '8'.repeat(maxCodeLength)],
    ['a very long text', 'A'.repeat(100_000)],
    ['other characters', 'AA<script>'],
    ['no base64', 'AAAAA'],
  ])('is refused: %s', (_, code) => {
    expect(greysOf(code)).toBeNull();
  });

  it('has the means of the pixels of a larger picture', () => {
    const side = 10 * drawingSide;
    const data = new Uint8ClampedArray(4 * side * side).fill(253);
    for (let y = 0; y < 10; y += 1) {
      for (let x = 0; x < 10; x += 1) {
        data.fill(33, 4 * (y * side + x), 4 * (y * side + x) + 4);
      }
    }
    const greys = greysIn({ data, width: side, height: side } as ImageData);
    expect(greys[0]).toBe(15);
    expect(greys.slice(1)).toEqual(new Uint8Array(count - 1));
  });
});
