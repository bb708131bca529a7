import { open } from 'ambry';
import { afterAll, expect, test } from 'vitest';
import { languageFile } from '../../../tests/web/support/language-file.ts';
import { outcomeOf, wrongValues } from '../../../tests/web/support/wrong-values.ts';
import { answers, toolPlan } from '../src/index.ts';

const model = await open(languageFile(), { kind: 'generator' });
afterAll(() => model.dispose());

const options = { maxTokens: 1 };
const tool = { type: 'function', function: { name: 'f' } } as const;
test.each([
  ['the model of answers', (wrong: never) => answers(wrong, { prompts: [] }).next()],
  ['the task of answers', (wrong: never) => answers(model, wrong).next()],
  ['the prompts of answers', (wrong: never) => answers(model, { prompts: wrong, options }).next()],
  ['the model of toolPlan', (wrong: never) => toolPlan(wrong, [])],
  ['the tools of toolPlan', (wrong: never) => toolPlan(model, wrong, { name: 'f' })],
  ['the choice of toolPlan', (wrong: never) => toolPlan(model, [tool], wrong)],
] as const)('%s is never an error of JavaScript', async (_, run) => {
  const raw: string[] = [];
  for (const [name, value] of Object.entries(wrongValues)) {
    const outcome = await outcomeOf(run, [value]);
    raw.push(...(outcome.startsWith('threw') ? [`${name} ${outcome}`] : []));
  }
  expect(raw).toEqual([]);
});
