// Classifiers of texts through the package.
import { describe, expect, test } from 'vitest';
import {
  answersOf,
  classifierFile,
  classifierPath,
  classifierTexts,
} from '../support/classifier-files.ts';
import { openTextClassifier } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const files = ['softmax.bin', 'hs.bin', 'ns.bin', 'ova.bin', 'pruned.ftz', 'quantized-output.ftz'];

describe.each(files)('%s', (name) => {
  test('predicts what fastText predicts', async () => {
    await using model = await ambry.open(classifierFile(name), { kind: 'textClassifier' });
    for (const { k, threshold, predictions } of answersOf(name)) {
      const options = { k: k < 0 ? model.info.textClassifier.labels.length : k, threshold };
      const found = await model.predict(classifierTexts, options);
      expect(found.map((own) => own.map(({ label }) => label))).toEqual(
        predictions.map((own) => own.map(([label]) => label)),
      );
      const differences = found.flatMap((own, i) =>
        own.map(({ probability }, j) => Math.abs(probability - (predictions[i]?.[j]?.[1] ?? 2))),
      );
      expect(Math.max(...differences)).toBeLessThan(1e-5);
    }
  });
});

test('says what it holds', async () => {
  await using model = await openTextClassifier({ path: classifierPath('pruned.ftz') });
  expect(model.kind).toBe('textClassifier');
  const { labels, ...facts } = model.info.textClassifier;
  expect(labels).toHaveLength(11);
  expect(labels).toContain('__label__straße');
  expect(facts).toMatchObject({ dim: 6, loss: 'hs', wordNgrams: 2, minn: 2, maxn: 4 });
  expect(facts).toMatchObject({ buckets: 900, quantized: true, pruned: true });
  expect(model.info.format).toBe('fasttext');
  expect(model.weightBytes).toBeGreaterThan(0);
});

test('takes a text or a list of texts, and nothing else', async () => {
  await using model = await openTextClassifier(classifierFile('softmax.bin'));
  const [alone] = await model.predict('maus');
  const [[inList] = []] = await model.predict(['maus', 'haus']);
  expect(alone).toEqual(inList);
  expect(await model.predict([])).toEqual([]);
  const wrong = [1 as unknown as string];
  await expect(model.predict(wrong)).rejects.toMatchObject({ code: 'BadValue', path: 'texts[0]' });
});

test.each([
  ['k', { k: 0 }],
  ['k', { k: 1.5 }],
  ['threshold', { threshold: 2 }],
  ['threshold', { threshold: -1 }],
])('an option %s out of range is refused', async (name, options) => {
  await using model = await openTextClassifier(classifierFile('softmax.bin'));
  const rejection = expect(model.predict('maus', options)).rejects;
  await rejection.toMatchObject({ code: 'BadValue', path: `options.${name}` });
});

test('a stream, a Blob and bytes give the same', async () => {
  const bytes = classifierFile('hs.bin');
  const predicted = async (source: Parameters<typeof openTextClassifier>[0]) => {
    await using model = await openTextClassifier(source);
    return await model.predict('häuser und mäuse', { k: 3 });
  };
  const expected = await predicted(bytes);
  expect(expected).toHaveLength(3);
  expect(await predicted(new Blob([bytes]))).toEqual(expected);
  expect(await predicted(new Blob([bytes]).stream())).toEqual(expected);
});

test('a long list of texts can be cancelled, and reports its progress', async () => {
  await using model = await openTextClassifier(classifierFile('softmax.bin'));
  const texts = Array.from({ length: 2000 }, (_, i) => `maus ${i} `.repeat(20));
  const seen: number[] = [];
  const onProgress = ({ loaded }: { loaded: number }) => void seen.push(loaded);
  expect(await model.predict(texts, { onProgress })).toHaveLength(2000);
  expect(seen.at(-1)).toBe(2000);
  const aborted = model.predict(texts, { signal: AbortSignal.abort() });
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
});

test('inspect and validate know such a file', async () => {
  const file = classifierFile('quantized-output.ftz');
  const inspection = await ambry.inspect(file);
  expect(inspection).toMatchObject({ format: 'fasttext', config: { loss: 'hs', labels: 270 } });
  expect(inspection.run).toMatchObject({ kind: 'textClassifier', converts: false, obstacle: null });
  expect(inspection.run.memory).toEqual({ asStored: expect.any(Number), int8: null });
  expect(await ambry.validate(file, { values: true })).toMatchObject({ valid: true, warnings: [] });
});

test('a file with a byte too much is refused with the place', async () => {
  const file = new Uint8Array([...classifierFile('hs.bin'), 0]);
  await expect(openTextClassifier(file)).rejects.toMatchObject({
    code: 'BadValue',
    byteOffset: 2789,
  });
});
