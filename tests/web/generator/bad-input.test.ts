// What a generator of text refuses, and how it names it: prompts, options, files.
import { describe, expect, test } from 'vitest';
import type { GenerateOptions, Prompt } from '../../../web/src/entries/types.ts';
import { languageFile } from '../support/files/language-file.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { openGenerator } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const file = languageFile();
const model = await forAllTests(openGenerator(file));

describe('bad input', () => {
  const allBanned = Object.fromEntries(
    Array.from({ length: 258 }, (_, id) => [id, false] as const),
  );
  const cases: readonly (readonly [string, Prompt, GenerateOptions, object])[] = [
    ['an id outside the vocabulary', [1, 258], {}, { code: 'BadValue', path: 'prompt[1]' }],
    ['no ids', [], {}, { code: 'BadValue', path: 'prompt' }],
    ['a prompt that is none', 7 as never, {}, { code: 'BadValue', path: 'prompt' }],
    ['a prompt beyond the context', 'a'.repeat(64), {}, { code: 'LimitExceeded', path: 'prompt' }],
    ['a temperature below 0', 'a', { temperature: -1 }, { path: 'options.temperature' }],
    ['a share above 1', 'a', { topP: 2 }, { path: 'options.topP' }],
    ['no answers', 'a', { n: 0 }, { code: 'BadValue', path: 'options.n' }],
    ['no tokens', 'a', { maxTokens: 0 }, { path: 'options.maxTokens' }],
    ['an empty stop text', 'a', { stop: '' }, { path: 'options.stop' }],
    ['a seed that is no whole number', 'a', { seed: 0.5 }, { path: 'options.seed' }],
    ['a share of XTC above 1', 'a', { xtcProbability: 2 }, { path: 'options.xtcProbability' }],
    ['a third Mirostat', 'a', { mirostat: 3 }, { path: 'options.mirostat' }],
    ['a window below -1', 'a', { penaltyLastN: -2 }, { path: 'options.penaltyLastN' }],
    ['no repeated length', 'a', { dryAllowedLength: 0 }, { path: 'options.dryAllowedLength' }],
    [
      'an empty breaker',
      'a',
      { drySequenceBreakers: [''] },
      { path: 'options.drySequenceBreakers' },
    ],
    ['a number that is none', 'a', { typicalP: Number.NaN }, { path: 'options.typicalP' }],
    ['a ban without a token', 'a', { minP: -Infinity }, { path: 'options.minP' }],
    ['a stop id beyond the vocabulary', 'a', { stopIds: [258] }, { path: 'options.stopIds[0]' }],
    ['a bias beyond the vocabulary', 'a', { logitBias: { 258: 1 } }, { path: 'options.logitBias' }],
    ['a bias without end', 'a', { logitBias: { 1: Infinity } }, { path: 'options.logitBias' }],
    ['a bias that is none', 'a', { logitBias: { 1: Number.NaN } }, { path: 'options.logitBias' }],
    ['a list of biases', 'a', { logitBias: [1, 2] as never }, { path: 'options.logitBias' }],
    ['bans of all tokens', 'a', { logitBias: allBanned }, { path: 'options.logitBias' }],
  ];
  test.each(cases)('%s is reported by its path', async (_, prompt, options, problem) => {
    await expect(model.generate(prompt, options).result).rejects.toMatchObject(problem);
  });

  test('options of open are reported by their paths', async () => {
    await expect(openGenerator(file, { kv: 'f8' as never })).rejects.toMatchObject({
      path: 'options.kv',
    });
    await expect(openGenerator(file, { context: 65 })).rejects.toMatchObject({
      code: 'LimitExceeded',
    });
    await expect(openGenerator(file, { weights: 'int8' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.weights',
    });
    await expect(ambry.open(await smallModel(), { kind: 'generator' })).rejects.toMatchObject({
      code: 'BadMagic',
    });
  });

  test('unsupported calls are reported', async () => {
    await expect(model.tokenize('a', { pair: 'b' })).rejects.toMatchObject({ path: 'pair' });
  });

  test('values that are not finite are reported with the layer', async () => {
    const broken = languageFile({}, (name, numbers) => {
      if (name === 'model.layers.1.mlp.up_proj.weight') {
        numbers[5] = Number.NaN;
      }
    });
    const failed = openGenerator(broken).then(async (opened) => {
      try {
        return await opened.generate('a').result;
      } finally {
        await opened.dispose();
      }
    });
    await expect(failed).rejects.toMatchObject({ code: 'BadValue', path: /layers[.[]1/ });
  });
});
