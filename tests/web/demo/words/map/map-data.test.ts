import { describe, expect, it } from 'vitest';
import {
  analogyMap,
  descriptionOf,
  type MapEntry,
  mapOf,
} from '../../../../../web/demo/words/map/map-data.ts';

describe('map data', () => {
  const word = (text: string, ...vector: number[]): MapEntry => ({
    text,
    role: 'asked',
    vector: Float32Array.from(vector),
  });

  it('of an analogy has an arrow from a to b and the same arrow from c', () => {
    const map = analogyMap([word('man', 0, 0), word('king', 2, 0), word('woman', 0, 1)]);
    const sum = map?.words[3];
    expect(sum).toMatchObject({ text: 'king − man + woman', role: 'sum' });
    expect(map?.arrows).toEqual([
      { from: 0, to: 1 },
      { from: 2, to: 3 },
    ]);
  });

  it('is described along both axes', () => {
    const map = mapOf([word('left', -3, 0.5), word('right', 3, 0.5), word('low', 0, -1)]);
    expect(Object.fromEntries(descriptionOf(map))).toMatchObject({
      'Variance shown': expect.stringContaining('100 %'),
    });
    const [[, across] = ['', '']] = descriptionOf(map);
    expect([across, across.split(', ').reverse().join(', ')]).toContain('left, low, right');
  });
});
