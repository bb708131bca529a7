// Text classifiers that fastText trained, through the package.
import { describe, expect, test } from 'vitest';
import {
  answersOf,
  classifierFile,
  classifierPath,
  classifierTexts,
} from '../support/files/classifier-files.ts';
import { openTextClassifier } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const files = ['softmax.bin', 'hs.bin', 'ns.bin', 'ova.bin', 'pruned.ftz', 'quantized-output.ftz'];

describe.each(files)('%s', (name) => {
  test('gives the labels of fastText', async () => {
    await using model = await ambry.open(classifierFile(name), { kind: 'textClassifier' });
    for (const { k, threshold, predictions } of answersOf(name)) {
      const options = { k: k < 0 ? model.labels.length : k, threshold };
      const found = await model.classify(classifierTexts, options);
      expect(found.map((own) => own.map(({ label }) => label))).toEqual(
        predictions.map((own) => own.map(([label]) => label)),
      );
      expect(found.flat().every(({ label, index }) => model.labels[index] === label)).toBe(true);
      const differences = found.flatMap((own, i) =>
        own.map(({ score }, j) => Math.abs(score - (predictions[i]?.[j]?.[1] ?? 2))),
      );
      expect(Math.max(...differences)).toBeLessThan(1e-5);
    }
  });
});

test('says what it holds', async () => {
  await using model = await openTextClassifier({ path: classifierPath('pruned.ftz') });
  expect(model.kind).toBe('textClassifier');
  const { labels = [], ...facts } = model.info.textClassifier ?? {};
  expect(model.labels).toEqual(labels);
  expect(model.tokenizer).toBeNull();
  expect(labels).toHaveLength(11);
  expect(labels).toContain('__label__straße');
  expect(facts).toMatchObject({ dim: 6, loss: 'hs', wordNgrams: 2, minn: 2, maxn: 4 });
  expect(facts).toMatchObject({ buckets: 900, quantized: true, pruned: true });
  expect(model.info.format).toBe('fasttext');
  expect(model.weightBytes).toBeGreaterThan(0);
});

test('takes a text or a list of texts, and nothing else', async () => {
  await using model = await openTextClassifier(classifierFile('softmax.bin'));
  const [alone] = await model.classify('maus');
  const [[inList] = []] = await model.classify(['maus', 'haus']);
  expect(alone).toEqual(inList);
  expect(await model.classify([])).toEqual([]);
  const wrong = [1 as unknown as string];
  await expect(model.classify(wrong)).rejects.toMatchObject({ code: 'BadValue', path: 'texts[0]' });
});

test.each([
  ['k', { k: 0 }],
  ['k', { k: 1.5 }],
  ['threshold', { threshold: 2 }],
  ['threshold', { threshold: -1 }],
])('an option %s out of range is refused', async (name, options) => {
  await using model = await openTextClassifier(classifierFile('softmax.bin'));
  const rejection = expect(model.classify('maus', options)).rejects;
  await rejection.toMatchObject({ code: 'BadValue', path: `options.${name}` });
});

test('the number of labels is 5 when it is not given', async () => {
  await using model = await openTextClassifier(classifierFile('softmax.bin'));
  expect(await model.classify('maus')).toHaveLength(5);
  const all = await model.classify('maus', { k: 100 });
  expect(all).toHaveLength(model.labels.length);
  const [best] = all;
  const likely = await model.classify('maus', {
    k: 100,
    threshold: (best?.score as number) - 1e-4,
  });
  expect(likely).toEqual([best]);
});

test('what only encoders can do is refused by name', async () => {
  await using model = await openTextClassifier(classifierFile('softmax.bin'));
  for (const options of [
    { candidates: ['a'] },
    { hypothesis: '{}' },
    { multiLabel: true },
    { truncate: 'end' },
  ] as const) {
    const [name] = Object.keys(options);
    await expect(model.classify('maus', options)).rejects.toMatchObject({
      code: 'Unsupported',
      path: `options.${name}`,
    });
  }
  const pair = model.classify(['maus', ['maus', 'haus']]);
  await expect(pair).rejects.toMatchObject({ code: 'Unsupported', path: 'texts[1]' });
  for (const call of [
    () => model.logits(['maus']),
    () => model.tokenize('maus'),
    () => model.tokenCounts(['maus']),
    () => model.detokenize([1]),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'Unsupported', path: 'model' });
  }
});

test('a stream, a Blob and bytes give the same', async () => {
  const bytes = classifierFile('hs.bin');
  const classified = async (source: Parameters<typeof openTextClassifier>[0]) => {
    await using model = await openTextClassifier(source);
    return await model.classify('häuser und mäuse', { k: 3 });
  };
  const expected = await classified(bytes);
  expect(expected).toHaveLength(3);
  expect(await classified(new Blob([bytes]))).toEqual(expected);
  expect(await classified(new Blob([bytes]).stream())).toEqual(expected);
});

test('a long list of texts can be cancelled, and reports its progress', async () => {
  await using model = await openTextClassifier(classifierFile('softmax.bin'));
  const texts = Array.from({ length: 2000 }, (_, i) => `maus ${i} `.repeat(20));
  const seen: number[] = [];
  const onProgress = ({ loaded }: { loaded: number }) => void seen.push(loaded);
  expect(await model.classify(texts, { onProgress })).toHaveLength(2000);
  expect(seen.at(-1)).toBe(2000);
  const aborted = model.classify(texts, { signal: AbortSignal.abort() });
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
