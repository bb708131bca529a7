import { describe, expect, it } from 'vitest';
import { similarSpellings } from '../../../../web/demo/words/did-you-mean.ts';

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
