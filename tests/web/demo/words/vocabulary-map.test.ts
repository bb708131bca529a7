import { describe, expect, it } from 'vitest';
import { namesOf } from '../../../../web/demo/words/vocabulary-map/vocabulary-map.ts';

describe('names of groups of words', () => {
  it('are their first words, without short words and numbers', () => {
    const words = ['of', 'bread', '1984', 'milk', 'dog', 'cheese', 'butter'];
    const members = new Uint32Array([0, 0, 0, 0, 1, 0, 0]);
    expect(namesOf(words, members, 3)).toEqual(['bread, milk, cheese', 'dog', '']);
  });

  it('are not the most frequent words of a large file', () => {
    const letters = (i: number) => String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26));
    const words = Array.from({ length: 200 }, (_, i) => `w${letters(i)}`);
    const [name] = namesOf(words, new Uint32Array(200), 1);
    expect(name).toBe(words.slice(10, 13).join(', '));
  });
});
