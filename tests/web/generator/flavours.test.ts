// Both flavours of the module choose the same tokens, with and without chance, and go on with each other's sessions.
import { expect, test } from 'vitest';
import { hasRelaxedSimd } from '../../../web/src/runtime/simd-support.ts';
import { loadGenerateModule } from '../support/core-module.ts';
import { languageFile } from '../support/files/language-file.ts';
import { answerOf, openGenerator } from '../support/run-generator.ts';

const testSettings = [
  { temperature: 0 },
  ...Array.from({ length: 12 }, (_, seed) => ({ temperature: 1.2, topP: 0.95, seed })),
  ...[
    { typicalP: 0.7 },
    { minP: 0.1, topNSigma: 1.5, minKeep: 3 },
    { xtcProbability: 0.5, xtcThreshold: 0.01 },
    { dynatempRange: 0.9, dynatempExponent: 1.7 },
    { mirostat: 1, mirostatTau: 4 },
    { mirostat: 2, mirostatTau: 4 },
    { repetitionPenalty: 1.2, frequencyPenalty: 0.3, presencePenalty: 0.2, penaltyLastN: 9 },
    { dryMultiplier: 0.8, dryAllowedLength: 1, temperature: 0.1 },
  ].map((settings) => ({ temperature: 1.1, topP: 1, seed: 3, ...settings })),
];

test.skipIf(!hasRelaxedSimd())('flavours generate the same tokens', async () => {
  const file = languageFile();
  const answers = async (flavour: 'baseline' | 'relaxed') => {
    const module = await loadGenerateModule(flavour);
    expect(module.simdFlavour()).toBe(flavour);
    const generator = await openGenerator(module, file);
    const all = [];
    for (const settings of testSettings) {
      all.push(await answerOf(generator, 'Some words', { ...settings, maxTokens: 30 }));
    }
    return all;
  };
  const baseline = await answers('baseline');
  expect(new Set(baseline.map((ids) => ids.join())).size).toBeGreaterThan(6);
  expect(await answers('relaxed')).toEqual(baseline);
});

test.skipIf(!hasRelaxedSimd())('a session of one flavour goes on in the other', async () => {
  const file = languageFile();
  const baseline = await openGenerator(await loadGenerateModule('baseline'), file);
  const relaxed = await openGenerator(await loadGenerateModule('relaxed'), file);
  const bytes = await relaxed.sessions.save(relaxed.sessions.open(), 'a note');
  expect((await baseline.sessions.restore(bytes)).note).toBe('a note');
  expect((await relaxed.sessions.restore(bytes)).note).toBe('a note');
});
