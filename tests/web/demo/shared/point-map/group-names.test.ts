import { describe, expect, it } from 'vitest';
import { tellingWords } from '../../../../../web/demo/search/map/passage-names.ts';
import { groupNames } from '../../../../../web/demo/shared/point-map/group-names.ts';

describe('names of groups', () => {
  const texts = [
    'The rice needs water and salt.',
    'Salt the water, then add rice.',
    'A tyre needs air.',
    'Pump air into the tyre. Then test both tyres.',
  ];

  it('are the words that the texts of a group share, and others do not have', () => {
    const names = groupNames(texts, new Uint32Array([0, 0, 1, 1]), 2, tellingWords);
    expect(names).toEqual(['rice, water, salt', 'tyre, air, pump']);
  });

  it('are empty without words', () => {
    expect(groupNames(['42', 'rice'], new Uint32Array([0, 2]), 3, tellingWords)).toEqual([
      '',
      '',
      'rice',
    ]);
  });

  it('have no function words, numbers, short words and possessives', () => {
    const words = tellingWords('The cat’s 9 lives at 3pm, by an ox').map(({ word }) => word);
    expect(words).toEqual(['cat', 'lives']);
  });
});
