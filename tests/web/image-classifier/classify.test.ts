// Image classifiers through the built package: tensors and pictures in, labels out.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import type { ImageClassifierPlan } from '../../../web/src/entries/types.ts';
import type { ImageClassifier } from '../../../web/src/index.ts';
import { dataPath } from '../../data-folder.mjs';
import { describeWithData } from '../support/data.ts';
import { networkFile } from '../support/files/network-file.ts';
import { openImageClassifier } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const { quantize } = ambry;
const network = networkFile();
const tensor = Float32Array.from({ length: 64 }, (_, i) => (i % 7) / 4 - 0.5);

/** The convs and the rest of networkFile(), as a plan says them. */
const plan: ImageClassifierPlan = {
  input: [1, 8, 8],
  nodes: [
    ['conv', 0, 'x', 'a'],
    ['relu', 'a', 'a'],
    ['maxpool', 3, 2, 1, 'a', 'a'],
    ['conv', 1, 'a', 'b'],
    ['relu', 'b', 'b'],
    ['conv', 2, 'b', 'b'],
    ['add', 'b', 'a', 'b'],
    ['relu', 'b', 'b'],
    ['concat_pool', 'b', 'b'],
    ['batchnorm', 0, 'b', 'b'],
    ['linear', 0, 'b', 'b'],
    ['relu', 'b', 'b'],
    ['batchnorm', 1, 'b', 'b'],
    ['linear', 1, 'b', 'b'],
  ],
  image: { mean: [0.5], std: [0.25] },
  labels: ['cat', 'dog', 'owl'],
};

/** Columns of red, green, blue and grey, 4 × 3, as Chromium writes them. */
const webp = {
  lossless: 'UklGRi4AAABXRUJQVlA4TCIAAAAvA4AAAB8gECCkU25DQFD0nOkCkoSe+7z5D3xpDPQwov8B',
  extended:
    'UklGRkAAAABXRUJQVlA4WAoAAAAAAAAAAwAAAgAAVlA4TCIAAAAvA4AAAB8gECCkU25DQFD0nOkCkoSe+7z5D3xpDPQwov8B',
  lossy:
    'UklGRlYAAABXRUJQVlA4IEoAAAAQAgCdASoEAAMAAMASJagCdEcAZIACBlbQAP74WEen/7EB9+3/7bf/y9fYxfNl//9Pq//1t//L19jF82X/6fV350A+4dNzClbAAA==',
};
const four = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [128, 128, 128, 255],
];

async function withNetwork<T>(
  file: Uint8Array<ArrayBuffer> | Blob | string,
  use: (model: ImageClassifier) => Promise<T>,
): Promise<T> {
  const model = await openImageClassifier(file);
  try {
    return await use(model);
  } finally {
    await model.dispose();
  }
}

function png(width: number, height: number, grey: (x: number, y: number) => number): Buffer {
  const picture = new PNG({ width, height });
  for (let i = 0; i < width * height; i++) {
    const value = grey(i % width, Math.floor(i / width));
    picture.data.set([value, value, value, 255], 4 * i);
  }
  return PNG.sync.write(picture);
}

describe('classify', () => {
  test('finds the graph of a residual network by itself, and times its layers', () =>
    withNetwork(network, async (model) => {
      expect(model.info.imageClassifier).toEqual({
        variant: 'vanilla',
        plan: 'derived',
        input: null,
        classes: 3,
      });
      const { logits, labels, layers, trace } = await model.run(tensor, { k: 2 });
      expect(logits).toHaveLength(3);
      expect(labels).toHaveLength(2);
      expect(labels[0]?.index).toBe(logits.indexOf(Math.max(...logits)));
      expect(await model.classify(tensor, { k: 2 })).toEqual(labels);
      expect(layers.map(({ op }) => op).slice(0, 4)).toEqual(['conv', 'relu', 'maxpool', 'conv']);
      expect(layers[0]?.shape).toEqual([2, 8, 8]);
      expect(layers.every(({ milliseconds }) => milliseconds >= 0)).toBe(true);
      expect(trace).toBeUndefined();
    }));

  test('returns what the network computes', () =>
    withNetwork(network, async (model) => {
      const {
        activations = [],
        layers,
        logits,
      } = await model.run(tensor, {
        activations: true,
      });
      expect(activations.map(({ op }) => op)).toEqual(['input', ...layers.map(({ op }) => op)]);
      expect(activations[0]?.shape).toEqual([1, 8, 8]);
      expect(activations[0]?.values).toEqual(tensor);
      expect([...(activations.at(-1)?.values ?? [])]).toEqual(logits);
      for (const { shape, channels, values } of activations) {
        expect(channels).toBe(shape[0]);
        expect(values).toHaveLength(shape[0] * shape[1] * shape[2]);
      }
      const [, conv, relu] = activations;
      expect(relu?.values).toEqual(conv?.values.map((value) => Math.max(0, value)));
      expect((await model.run(tensor)).activations).toBeUndefined();
    }));

  test('gives the same result with a plan, adds its labels, and keeps the plan', () =>
    withNetwork(network, async (model) => {
      const derived = await model.run(tensor);
      const planned = await model.run(tensor, { plan });
      expect(planned.logits).toEqual(derived.logits);
      expect(planned.labels.map(({ label }) => label).sort()).toEqual(['cat', 'dog', 'owl']);
      const again = await model.classify(tensor, { plan: JSON.stringify(plan) });
      expect(again).toEqual(planned.labels);
      const fast = await model.run(tensor, { mode: 'fast' });
      for (const [i, logit] of fast.logits.entries()) {
        expect(logit).toBeCloseTo(derived.logits[i] ?? 0, 3);
      }
      expect(fast.labels[0]?.label).toBe(planned.labels[0]?.label);
    }));

  test('gives the best labels first, with the number of a class where there are none', () =>
    withNetwork(network, async (model) => {
      const labels = await model.classify(tensor);
      expect(labels).toHaveLength(3);
      const scores = labels.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 5);
      expect(labels.every(({ label, index }) => label === String(index))).toBe(true);
      const threshold = (scores[0] as number) - 1e-6;
      expect(await model.classify(tensor, { threshold })).toEqual(labels.slice(0, 1));
      for (const [name, value] of [
        ['k', 0],
        ['threshold', 2],
      ] as const) {
        await expect(model.classify(tensor, { [name]: value })).rejects.toMatchObject({
          code: 'BadValue',
          path: `options.${name}`,
        });
      }
    }));

  test('normalizes pictures as the plan says', () =>
    withNetwork(network, async (model) => {
      const grey = (x: number, y: number) => (37 * x + 11 * y) % 256;
      const file = png(8, 8, grey);
      const numbers = Float32Array.from(
        { length: 64 },
        (_, i) => (grey(i % 8, Math.floor(i / 8)) / 255 - 0.5) / 0.25,
      );
      const wanted = await model.run(numbers, { plan });
      const pixels = PNG.sync.read(file);
      for (const picture of [file, new Blob([Uint8Array.from(file)]), pixels]) {
        const { logits } = await model.run(picture);
        for (const [i, logit] of logits.entries()) {
          expect(logit).toBeCloseTo(wanted.logits[i] ?? 0, 3);
        }
      }
    }));

  test.each(['lossless', 'extended'] as const)('reads %s WebP', (form) =>
    withNetwork(network, async (model) => {
      const data = Uint8Array.from([...four, ...four, ...four].flat());
      const wanted = await model.run({ width: 4, height: 3, data }, { plan });
      const { logits } = await model.run(Buffer.from(webp[form], 'base64'));
      expect(logits).toEqual(wanted.logits);
    }));

  test('rejects WebP files that are damaged or too large', () =>
    withNetwork(network, async (model) => {
      const file = Buffer.from(webp.lossless, 'base64');
      const cut = model.classify(file.subarray(0, 40), { plan });
      await expect(cut).rejects.toMatchObject({ path: 'picture', code: 'BadValue' });
      const huge = Buffer.from(webp.extended, 'base64');
      huge.fill(0xff, 24, 30);
      await expect(model.classify(huge)).rejects.toMatchObject({ code: 'LimitExceeded' });
      const lossy = Buffer.from(webp.lossy, 'base64');
      await expect(model.classify(lossy, { plan })).resolves.toBeDefined();
      lossy.fill(0xff, 26, 30);
      await expect(model.classify(lossy)).rejects.toMatchObject({ code: 'LimitExceeded' });
    }));

  test.each(['dq8', 'sq8'] as const)('runs %s, with a trace', async (type) => {
    const images = [tensor];
    const made = await quantize(network, { type, ...(type === 'sq8' && { images }) });
    await withNetwork(made.blob as Blob, async (model) => {
      expect(model.info.imageClassifier.variant).toBe(type);
      const { trace = [] } = await model.run(tensor, { trace: true });
      expect(trace[0]).toMatchObject({ op: 'input', dtype: 'f32', shape: [1, 8, 8] });
      expect(trace[1]).toMatchObject({ op: 'quantize', dtype: type === 'dq8' ? 'i8' : 'u8' });
      expect(trace.every(({ crc32 }) => /^[0-9a-f]{8}$/.test(crc32))).toBe(true);
    });
  });

  test('takes a plan for SQ8', async () => {
    const made = await quantize(network, { type: 'sq8', images: [tensor], plan });
    const without = await quantize(network, { type: 'sq8', images: [tensor] });
    expect(await made.blob?.bytes()).toEqual(await without.blob?.bytes());
  });

  test('measures the ranges of SQ8 with pictures', async () => {
    const picture = png(8, 8, (x, y) => (x + y) % 2 && 255);
    const numbers = Float32Array.from(
      { length: 64 },
      (_, i) => (((i + Math.floor(i / 8)) % 2) - 0.5) / 0.25,
    );
    const [byPicture, byNumbers] = await Promise.all(
      [picture, numbers].map((image) => quantize(network, { type: 'sq8', images: [image], plan })),
    );
    expect(await byPicture?.blob?.bytes()).toEqual(await byNumbers?.blob?.bytes());
    const images = [new TextEncoder().encode('hello')];
    const foreign = quantize(network, { type: 'sq8', images, plan });
    await expect(foreign).rejects.toMatchObject({ code: 'Unsupported', path: 'picture' });
  });

  test('reports faults of a plan, an input or a picture', () =>
    withNetwork(network, async (model) => {
      const { nodes = [] } = plan;
      const wrong = model.classify(tensor, { plan: { ...plan, nodes: nodes.slice(1) } });
      await expect(wrong).rejects.toMatchObject({ path: 'plan.nodes[0][1]', code: 'NotFound' });
      const text = model.classify(tensor, { plan: '{' });
      await expect(text).rejects.toMatchObject({ path: 'plan' });
      const few = model.classify(tensor.subarray(1), { plan });
      await expect(few).rejects.toMatchObject({ path: 'input', code: 'BadValue' });
      const odd = model.classify(tensor.map((v, i) => (i === 3 ? Number.NaN : v)));
      await expect(odd).rejects.toMatchObject({ path: 'input[3]' });
      const cut = model.classify(png(8, 8, () => 0).subarray(0, 40));
      await expect(cut).rejects.toMatchObject({ path: 'picture', code: 'BadValue' });
      const foreign = model.classify(new TextEncoder().encode('hello'));
      await expect(foreign).rejects.toMatchObject({ path: 'picture', code: 'Unsupported' });
      const none = model.classify({ width: 2, height: 2, data: new Uint8Array(15) });
      await expect(none).rejects.toMatchObject({ path: 'picture', code: 'BadValue' });
      const huge = png(8, 8, () => 0);
      huge.writeUInt32BE(2 ** 30, 16);
      await expect(model.classify(huge)).rejects.toMatchObject({ code: 'LimitExceeded' });
    }));

  test('stops after an abort', () =>
    withNetwork(network, async (model) => {
      const signal = AbortSignal.abort();
      await expect(model.classify(tensor, { signal })).rejects.toMatchObject({
        name: 'AbortError',
      });
      await expect(model.classify(tensor)).resolves.toBeDefined();
    }));

  test('rejects other models if the kind is given', async () => {
    const opening = ambry.open(await smallModel(), { kind: 'imageClassifier' });
    await expect(opening).rejects.toMatchObject({ code: 'BadMagic' });
  });
});

const cases = dataPath('tinyruntime');

interface Case {
  readonly model: string;
  readonly input: string;
  readonly input_shape: [number, number, number];
  readonly graph: string | { readonly ops: string[] };
  readonly logits_f32_hex: string[];
}

describeWithData('the reference’s runs', ['tinyruntime/expected'], () => {
  test.each(readdirSync(join(cases, 'expected')))('%s, bit for bit', async (name) => {
    const wanted = JSON.parse(readFileSync(join(cases, 'expected', name), 'utf8')) as Case;
    const bytes = Uint8Array.from(readFileSync(join(cases, 'inputs', wanted.input)));
    const { graph, input_shape: input } = wanted;
    await withNetwork(join(cases, 'models', wanted.model), async (model) => {
      const { logits } = await model.run(new Float32Array(bytes.buffer), {
        ...(typeof graph === 'object' && { plan: { input, ops: graph.ops } }),
      });
      const hex = logits.map((logit) => Buffer.from(Float32Array.of(logit).buffer).toString('hex'));
      expect(hex).toEqual(wanted.logits_f32_hex);
    });
  });
});
