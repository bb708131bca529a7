// Texts made by chance: what is shown has no control character, and what has none is as it was.
import { expect, test } from 'vitest';
import { visibleLine, visibleName, visibleText } from '../../../web/src/base/visible.ts';
import { hostileTexts, Mutants } from '../support/mutants.ts';
import { fuzzSize } from '../tokenizer/support/fuzz-size.ts';

const raw = /(?![\n\t])\p{Cc}|[\u2028-\u202e\u2066-\u2069]/u;

test.each([1, 2])('seed %d', (seed) => {
  const mutants = new Mutants(seed);
  for (let i = 0; i < fuzzSize(20_000); i++) {
    let text = mutants.pick(hostileTexts);
    for (let pieces = mutants.below(6); pieces > 0; pieces--) {
      text = mutants.text(text + String.fromCodePoint(mutants.below(0x11_0000)));
    }
    for (const visible of [visibleText, visibleLine, visibleName]) {
      const shown = visible(text);
      expect(raw.test(shown), JSON.stringify(text)).toBe(false);
      expect(visible(shown)).toBe(shown);
    }
    expect(visibleLine(text)).not.toContain('\n');
    expect(visibleName(text)).not.toMatch(/[\n\t\u200b\ufeff]/);
  }
});
