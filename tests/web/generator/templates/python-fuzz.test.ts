// Templates made by chance: each gives what Python's jinja2 gives, or is refused.
import { expect, test } from 'vitest';
import { fuzzSize } from '../../tokenizer/support/fuzz-size.ts';
import { answerOf, disagreement, missingPython, pythonAnswers } from './answers.ts';
import { RandomTemplates } from './random-templates.ts';
import { randomNames } from './template-parts.ts';

const seeds = [1, 2];
/** Python takes some 10 ms for each. */
const perSeed = fuzzSize(5000);

/** What Ambry refuses by name, and texts that hold an address in memory. */
const mayRefuse = (error: string): boolean => /not supported|has no text/.test(error);

if (missingPython !== undefined) {
  console.log(`skipped: ${missingPython}`);
}

test.skipIf(missingPython !== undefined).each(seeds)('by chance, seed %d', (seed) => {
  const random = new RandomTemplates(seed);
  const templates = Array.from({ length: perSeed }, (_, i) =>
    i % 2 === 0 ? `{{ ${random.expression(1 + (i % 3))} }}` : random.template(),
  );
  const answers = pythonAnswers(templates.map((template) => [template, randomNames]));
  const wrong = answers.flatMap((answer, i) => {
    const found = disagreement(answer, answerOf(templates[i] as string, randomNames), mayRefuse);
    return found === '' ? [] : [`${templates[i]}: ${found}`];
  });
  expect(wrong).toEqual([]);
  expect(answers.filter(({ text }) => text !== undefined).length).toBeGreaterThan(perSeed / 5);
});
