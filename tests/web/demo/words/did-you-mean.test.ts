import { describe, expect, it } from 'vitest';
import { editDistance, similarSpellings } from '../../../../web/demo/words/did-you-mean.ts';

describe('the edit distance', () => {
  it.each([
    ['', '', 0],
    ['winter', 'winter', 0],
    ['winter', 'wintre', 1],
    ['winter', 'winte', 1],
    ['winter', 'wiinter', 1],
    ['winter', 'minter', 1],
    ['winter', 'wenters', 2],
    ['ab', 'ba', 1],
    ['winter', 'summer', 3],
    ['winter', 'w', 3],
  ])('of %s and %s is %d, or more than 2', (a, b, distance) => {
    expect(editDistance(a, b, 2)).toBe(distance);
    expect(editDistance(b, a, 2)).toBe(distance);
  });
});

describe('similar spellings', () => {
  const vocabulary = ['the', 'winter', 'Winter', 'café', 'splinter', 'winters', 'wine', 'cat'];

  it('are the nearest first, and the more frequent first among equals', () => {
    expect(similarSpellings('wnter', vocabulary)).toEqual(['winter', 'Winter']);
    expect(similarSpellings('wintter', vocabulary)).toEqual(['winter', 'Winter', 'winters']);
  });

  it('ignore case and accents', () => {
    expect(similarSpellings('WINTER', vocabulary)).toEqual(['winter', 'Winter', 'winters', 'wine']);
    expect(similarSpellings('cafe', vocabulary)).toEqual(['café']);
    expect(similarSpellings('cáfe', vocabulary)[0]).toBe('café');
  });

  it('are few for short words, and none for very long and empty ones', () => {
    expect(similarSpellings('ca', vocabulary)).toEqual([]);
    expect(similarSpellings('cst', vocabulary)).toEqual(['cat']);
    expect(similarSpellings('', vocabulary)).toEqual([]);
    expect(similarSpellings('x'.repeat(1000), vocabulary)).toEqual([]);
  });

  it('never are the word itself', () => {
    expect(similarSpellings('cat', vocabulary)).toEqual([]);
  });
});
