// How well the variants of a network agree, on made-up numbers and on networks that others trained.
import { describe, expect, test } from 'vitest';
import type { ClassifyImageOptions, ImageInput } from '../../../web/src/entries/types.ts';
import { describeWithData } from '../support/data.ts';
import { networkFile } from '../support/files/network-file.ts';
import {
  digitNetwork,
  type RealNetwork,
  realNetworks,
  smallPicturesNetwork,
} from '../support/models/real-networks.ts';
import { openImageClassifier } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

type Source = Parameters<typeof ambry.open>[0];

async function agreement(
  first: Source,
  second: Source,
  inputs: readonly ImageInput[],
  options: Pick<ClassifyImageOptions, 'plan' | 'mode' | 'signal'> = {},
) {
  const model = await openImageClassifier(first);
  const other = await openImageClassifier(second);
  try {
    return await model.agreement(other, inputs, options);
  } finally {
    await model.dispose();
    await other.dispose();
  }
}

const inputOf = (seed: number) => Float32Array.from({ length: 64 }, (_, i) => Math.sin(seed + i));

describe('agreement', () => {
  test('of a network with itself is complete', async () => {
    const inputs = [inputOf(1), inputOf(2)];
    const found = await agreement(networkFile(), networkFile(), inputs);
    expect(found).toMatchObject({ inputs: 2, sameAnswer: 2, largestDifference: 0 });
    expect(found.meanDifference).toBe(0);
  });

  test('compares the answers of both networks', async () => {
    const inputs = [inputOf(1), inputOf(2), inputOf(3)];
    const images = inputs.slice(0, 1);
    const { blob } = await ambry.quantize(networkFile(), { type: 'sq8', images });
    const found = await agreement(networkFile(), blob as Blob, inputs);
    const models = await Promise.all(
      [networkFile(), blob as Blob].map((file) => openImageClassifier(file)),
    );
    for (const [i, input] of inputs.entries()) {
      const [a, b] = await Promise.all(models.map((model) => model.run(input)));
      const gaps = a?.logits.map((logit, c) => Math.abs(logit - (b?.logits[c] ?? 0))) ?? [];
      expect(found.each[i]?.difference).toBe(Math.max(...gaps));
      expect(found.each[i]?.answers).toEqual([a?.labels[0]?.index, b?.labels[0]?.index]);
    }
    await Promise.all(models.map((model) => model.dispose()));
    const differences = found.each.map(({ difference }) => difference);
    expect(found.largestDifference).toBe(Math.max(...differences));
    expect(found.largestDifference).toBeGreaterThan(0);
    expect(found.meanDifference).toBeCloseTo(differences.reduce((a, b) => a + b) / 3);
  });

  test('needs inputs, and networks with the same classes', async () => {
    const none = agreement(networkFile(), networkFile(), []);
    await expect(none).rejects.toMatchObject({ code: 'BadValue', path: 'inputs' });
    const aborted = agreement(networkFile(), networkFile(), [inputOf(1)], {
      signal: AbortSignal.abort(),
    });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  });
});

/** The floats against both kinds of bytes; SQ8 learns its ranges from the first inputs. */
async function expectAgreement({ floats, plan, inputs }: RealNetwork) {
  for (const type of ['dq8', 'sq8'] as const) {
    const images = inputs.slice(0, 20);
    const made = await ambry.quantize(floats, { type, ...(type === 'sq8' && { images, plan }) });
    const found = await agreement(floats, made.blob as Blob, inputs, { plan });
    expect(found.inputs).toBe(inputs.length);
    expect(found.sameAnswer / found.inputs, type).toBeGreaterThanOrEqual(0.98);
    expect(found.largestDifference, type).toBeLessThan(4);
    expect(found.largestDifference, type).toBeGreaterThan(0);
  }
}

describeWithData('networks from other projects', realNetworks, () => {
  test('give the same answers to digits', async () => expectAgreement(await digitNetwork()));
  test('give the same answers to small pictures', async () =>
    expectAgreement(await smallPicturesNetwork()));
});
