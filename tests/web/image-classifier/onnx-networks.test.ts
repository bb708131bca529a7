// Networks that are ONNX files: opened, converted with their plans, and quantized.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ConversionReport } from '../../../web/src/entries/types.ts';
import { openImageClassifier } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const folder = new URL('../../fixtures/onnx/cnn/', import.meta.url);
const file = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)));
const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Record<
  string,
  number[]
>;
const side = 45;

/** The picture of tests/reference/onnx/cnn_models.py. */
const picture = Float32Array.from(
  { length: 3 * side * side },
  (_, i) => (((i * 37) % 101) - 50) / 64,
);

function expectClose(logits: readonly number[], wanted: readonly number[]): void {
  const largest = Math.max(...wanted.map(Math.abs));
  const differences = logits.map((logit, i) => Math.abs(logit - (wanted[i] ?? Number.NaN)));
  expect(Math.max(...differences)).toBeLessThan(1e-5 * largest);
}

describe('an ONNX network', () => {
  test('opens as an image classifier with its plan', async () => {
    const model = await openImageClassifier(file('residual-folded.onnx'));
    try {
      expect(model.info).toMatchObject({ format: 'onnx', convertedTo: 'tinyruntime' });
      expect(model.info.imageClassifier).toMatchObject({ plan: 'given', input: [3, side, side] });
      expect(model.plan?.input).toEqual([3, side, side]);
      const { logits } = await model.run(picture);
      expectClose(logits, expected['residual-folded'] as number[]);
    } finally {
      await model.dispose();
    }
  });

  test('opens from a directory with a config.json', async () => {
    const config = new TextEncoder().encode('{"model_type":"resnet"}');
    const files = new Map([
      ['config.json', config],
      ['onnx/model.onnx', file('residual-folded.onnx')],
    ]);
    await using model = await openImageClassifier(files);
    const { logits } = await model.run(picture);
    expectClose(logits, expected['residual-folded'] as number[]);
  });

  test('is converted, and runs with the plan of the report', async () => {
    let report: ConversionReport | undefined;
    const network = await ambry.convert(file('residual-kept.onnx'), {
      to: 'tinyruntime',
      onReport: (made) => {
        report = made;
      },
    });
    const model = await openImageClassifier(network);
    try {
      expect(model.plan).toBeNull();
      const plan = report?.plan;
      expect(plan).toBeDefined();
      const { logits } = await model.run(picture, { ...(plan && { plan }) });
      expectClose(logits, expected['residual-kept'] as number[]);
    } finally {
      await model.dispose();
    }
  });

  test('is calibrated as the network that it becomes', async () => {
    let report: ConversionReport | undefined;
    const onnx = file('residual-kept.onnx');
    const onReport = (made: ConversionReport) => {
      report = made;
    };
    const network = await ambry.convert(onnx, { to: 'tinyruntime', onReport });
    const plan = report?.plan;
    const how = { type: 'sq8', to: 'tinyruntime', images: [picture] } as const;
    const direct = await ambry.quantize(onnx, how);
    expect(direct.agreement).toMatchObject({ inputs: 1, sameAnswer: 1 });
    const later = await ambry.quantize(network, { ...how, ...(plan && { plan }) });
    const [a, b] = await Promise.all(
      [direct, later].map(({ blob }) => (blob as Blob).arrayBuffer()),
    );
    expect(new Uint8Array(a as ArrayBuffer)).toEqual(new Uint8Array(b as ArrayBuffer));
  });

  test('is refused by the node that no such network has', async () => {
    const text = Buffer.from(file('digits-folded.onnx')).toString('latin1');
    const other = Buffer.from(text.replaceAll('Relu', 'Tanh'), 'latin1');
    await expect(openImageClassifier(new Uint8Array(other))).rejects.toMatchObject({
      code: 'Unsupported',
      path: '/Tanh',
      message: expect.stringContaining('Tanh'),
    });
  });
});
