import { expect, test } from 'vitest';
import { outcomeOf, wrongValues } from '../../../tests/web/support/wrong-values.ts';
import { AmbryChat, AmbryEmbeddings, AmbryRerank } from '../src/index.ts';

test.each([
  ['AmbryChat', (fields: never) => new AmbryChat(fields)],
  ['AmbryEmbeddings', (fields: never) => new AmbryEmbeddings(fields)],
  ['AmbryRerank', (fields: never) => new AmbryRerank(fields)],
] as const)('%s refuses what is no open model', async (_, make) => {
  for (const [name, value] of Object.entries(wrongValues)) {
    for (const given of [value, { model: value }]) {
      expect([name, await outcomeOf(make, [given])]).toEqual([name, 'refused']);
    }
  }
});
