// Classifiers that are trained on examples, through the package: what they answer, their file, and what is refused.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ClassifierExample, ClassifierOptions, Progress } from 'ambry';
import { afterAll, describe, expect, test } from 'vitest';
import { cliFolder } from '../support/cli/cli-folder.ts';
import { colbertDirectory } from '../support/directories/late-directories.ts';
import { ambry, smallModel } from '../support/package.ts';
import { ByteServer, contentOf } from '../support/servers/byte-server.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const encoderFile = path.join(root, 'web/demo/public/models/english-static-336.weights');
const table = await readFile(path.join(root, 'tests/fixtures/classifier/examples.csv'), 'utf8');
const examples = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line): ClassifierExample => {
    const at = line.lastIndexOf(',');
    return { text: line.slice(0, at).replace(/^"|"$/g, ''), label: line.slice(at + 1) };
  });
const unseen = [
  ['Somebody stole my card.', 'card'],
  ['The money that I sent has not come.', 'transfer'],
  ['I need money to buy a house.', 'loan'],
  ['My password is wrong, says the app.', 'login'],
  ['The shop did not take my card.', 'card'],
  ['What is the rate of a mortgage?', 'loan'],
] as const;

const encoder = await ambry.open(encoderFile, { kind: 'encoder' });
const other = await ambry.open(await smallModel(), { kind: 'encoder' });
const classifier = await ambry.createClassifier(encoder, examples);
const file = await classifier.save({ model: 'english.weights' });
const bytes = new Uint8Array(await file.arrayBuffer());
afterAll(async () => {
  await encoder.dispose();
  await other.dispose();
});

describe('what it answers', () => {
  test('labels of new texts, the best first', async () => {
    expect(classifier.kind).toBe('textClassifier');
    expect(classifier.labels).toEqual(['card', 'transfer', 'loan', 'login']);
    const found = await classifier.classify(unseen.map(([text]) => text));
    expect(found.map(([best]) => best?.label)).toEqual(unseen.map(([, label]) => label));
    for (const labels of found) {
      expect(labels.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1, 12);
      const scores = labels.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(labels.every(({ label, index }) => classifier.labels[index] === label)).toBe(true);
    }
  });

  test('k and threshold, and a text for itself', async () => {
    const [text] = unseen[0];
    const [[best] = []] = await classifier.classify([text], { k: 1 });
    expect(await classifier.classify(text, { k: 1 })).toEqual([best]);
    expect(await classifier.classify(text, { threshold: 1 })).toEqual([]);
    expect(await classifier.classify([])).toEqual([]);
  });

  test('logits are the product of the weights in the file and the vector', async () => {
    const [text] = unseen[1];
    const vector = await encoder.embed(text, { normalize: true });
    const { tensors } = await ambry.inspect(bytes);
    const floats = (name: string) => {
      const { offset = 0, bytes: size = 0 } = tensors.find((tensor) => tensor.name === name) ?? {};
      return new Float32Array(bytes.slice(offset, offset + size).buffer);
    };
    const [weight, bias] = [floats('weight'), floats('bias')];
    const logits = await classifier.logits([text]);
    expect(logits).toHaveLength(4);
    for (const [label, logit] of logits.entries()) {
      const row = weight.subarray(label * encoder.dim, (label + 1) * encoder.dim);
      const product = vector.reduce((sum, x, i) => sum + x * (row[i] ?? 0), bias[label] ?? 0);
      expect(logit).toBeCloseTo(product, 5);
    }
  });

  test('it has the tokenizer of its encoder', async () => {
    expect(await classifier.tokenize('my card')).toEqual(await encoder.tokenize('my card'));
  });

  test('the held-out score is told label by label', () => {
    const { heldOut, ...facts } = classifier.training;
    expect(facts).toEqual({ examples: 40, l2: 0.1, balanced: false });
    expect(heldOut?.count).toBe(8);
    expect(heldOut?.perLabel.map(({ label, count }) => [label, count])).toEqual(
      classifier.labels.map((label) => [label, 2]),
    );
    expect(heldOut?.correct).toBeGreaterThanOrEqual(6);
    expect(heldOut?.accuracy).toBe((heldOut?.correct ?? 0) / 8);
    expect(heldOut?.perLabel.reduce((sum, { correct }) => sum + correct, 0)).toBe(heldOut?.correct);
  });
});

describe('training', () => {
  test('equal examples give equal bytes, and one that is given twice counts once', async () => {
    const again = await ambry.createClassifier(encoder, [...examples, ...examples.slice(3, 9)]);
    const saved = await again.save({ model: 'english.weights' });
    expect(Buffer.compare(new Uint8Array(await saved.arrayBuffer()), bytes)).toBe(0);
  });

  test('few examples have no score', async () => {
    const few = await ambry.createClassifier(encoder, examples.slice(0, 8));
    expect(few.training.heldOut).toBeNull();
    const [best] = await few.classify(examples[0]?.text ?? '');
    expect(best?.label).toBe('card');
  });

  test('a text may have two labels, which share its certainty', async () => {
    const text = 'My card was stolen on the train.';
    const both = await ambry.createClassifier(encoder, [
      { text, label: 'card' },
      { text, label: 'theft' },
      { text: 'I forgot my password.', label: 'login' },
    ]);
    const [first, second] = await both.classify(text);
    expect([first?.label, second?.label].sort()).toEqual(['card', 'theft']);
    expect(first?.score).toBeCloseTo(second?.score ?? 0, 3);
  });

  test('the prompt is kept, and put before the texts', async () => {
    const prompted = await ambry.createClassifier(encoder, examples.slice(0, 8), {
      prompt: 'bank: ',
    });
    const plain = await ambry.createClassifier(encoder, examples.slice(0, 8));
    const saved = await ambry.open(await prompted.save(), { encoder });
    const [text] = unseen[0];
    expect(await saved.logits([text])).toEqual(await prompted.logits([text]));
    expect(await prompted.logits([text])).not.toEqual(await plain.logits([text]));
  });

  test('progress only goes on', async () => {
    const heard: Progress[] = [];
    await ambry.createClassifier(encoder, examples, { onProgress: (each) => heard.push(each) });
    expect([...new Set(heard.map(({ phase }) => phase))]).toEqual(['embed', 'train']);
    const loaded = heard.filter(({ phase }) => phase === 'train').map((each) => each.loaded);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    expect(heard.at(-1)).toMatchObject({ phase: 'train', loaded: 1000, total: 1000 });
  });

  test('an abort rejects, before and during the training', async () => {
    const aborted = { signal: AbortSignal.abort() };
    const name = { name: 'AbortError' };
    await expect(ambry.createClassifier(encoder, examples, aborted)).rejects.toMatchObject(name);
    await expect(classifier.classify('a', aborted)).rejects.toMatchObject(name);
    const controller = new AbortController();
    const onProgress = ({ phase }: Progress) => phase === 'train' && controller.abort();
    const { signal } = controller;
    const training = ambry.createClassifier(encoder, examples, { signal, onProgress });
    await expect(training).rejects.toMatchObject(name);
  });
});

describe('what is refused', () => {
  const [one] = examples;
  const wrong: readonly [unknown, string, string][] = [
    ['text', 'BadValue', 'examples'],
    [[], 'BadValue', 'examples'],
    [[one], 'BadValue', 'examples'],
    [[one, null], 'BadValue', 'examples[1]'],
    [[one, 'text'], 'BadValue', 'examples[1]'],
    [[one, { text: 'a' }], 'BadValue', 'examples[1].label'],
    [[one, { text: 'a', label: 3 }], 'BadValue', 'examples[1].label'],
    [[one, { text: 'a', label: ' ' }], 'BadValue', 'examples[1].label'],
    [[{ text: ' ', label: 'a' }], 'BadValue', 'examples[0].text'],
    [[{ label: 'a' }], 'BadValue', 'examples[0].text'],
    [[one, { text: 'a', label: 'b'.repeat(201) }], 'LimitExceeded', 'examples[1].label'],
    [Array.from({ length: 100_001 }, () => one), 'LimitExceeded', 'examples'],
    [
      Array.from({ length: 4000 }, (_, i) => ({ text: 'a', label: `${i}` })),
      'LimitExceeded',
      'examples',
    ],
  ];
  test.each(wrong.map(([given, code, at]) => ({ given, code, at })))('$code at $at', async ({
    given,
    code,
    at,
  }) => {
    const refused = ambry.createClassifier(encoder, given as ClassifierExample[]);
    await expect(refused).rejects.toMatchObject({ code, path: at });
  });

  test.each([
    [{ l2: 0 }, 'options.l2'],
    [{ l2: Number.NaN }, 'options.l2'],
    [{ l2: '1' }, 'options.l2'],
    [{ balanced: 1 }, 'options.balanced'],
    [{ workers: 0 }, 'options.workers'],
    [{ promt: 'a' }, 'options.promt'],
  ])('the options %j', async (options, at) => {
    const refused = ambry.createClassifier(encoder, examples, options as ClassifierOptions);
    await expect(refused).rejects.toMatchObject({ code: 'BadValue', path: at });
  });

  test('a model that is no encoder, and one that makes vectors of tokens', async () => {
    const refused = ambry.createClassifier(classifier as never, examples);
    await expect(refused).rejects.toMatchObject({ code: 'BadValue', path: 'encoder' });
    await using late = await ambry.open(colbertDirectory(), { kind: 'encoder' });
    await expect(ambry.createClassifier(late, examples)).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'encoder',
    });
  });

  test.each([
    [{ candidates: ['a'] }, 'options.candidates'],
    [{ hypothesis: '{}' }, 'options.hypothesis'],
    [{ multiLabel: true }, 'options.multiLabel'],
  ])('%j of heads', async (options, at) => {
    await expect(classifier.classify('a', options)).rejects.toMatchObject({
      code: 'Unsupported',
      path: at,
    });
  });

  test('pairs of texts', async () => {
    const refused = classifier.classify(['a', ['b', 'c']]);
    await expect(refused).rejects.toMatchObject({ code: 'Unsupported', path: 'texts[1]' });
  });
});

describe('the file', async () => {
  const { at } = await cliFolder();
  await writeFile(at('topics.safetensors'), bytes);
  const server = await ByteServer.start();
  const { url } = server.serve('topics', { content: contentOf(bytes), etag: '"one"' });
  afterAll(() => server.close());
  const texts = unseen.map(([text]) => text);
  const answers = await classifier.classify(texts);

  test.each([
    ['a Blob', () => file],
    ['bytes', () => bytes],
    ['a path', () => at('topics.safetensors')],
    ['an address', () => url],
    ['a stream', () => file.stream()],
  ])('opens from %s', async (_, source) => {
    const again = await ambry.open(source(), { kind: 'textClassifier', encoder });
    expect(again.kind).toBe('textClassifier');
    expect(again.training).toEqual(classifier.training);
    expect(await again.classify(texts)).toEqual(answers);
    expect(await (await again.save()).arrayBuffer()).toEqual(await file.arrayBuffer());
  });

  test('is valid safetensors, and info says what inspect says of it', async () => {
    const { valid, warnings } = await ambry.validate(bytes, { strict: true, values: true });
    expect({ valid, warnings }).toEqual({ valid: true, warnings: [] });
    const again = await ambry.open(bytes, { encoder });
    const { format, version, metadata, tensors } = await ambry.inspect(await again.save());
    expect(again.info).toMatchObject({ format, version, metadata, tensors });
    expect(again.info.tokenizer).toEqual(encoder.info.tokenizer);
  });

  test('a function opens the encoder, and both end together', async () => {
    const heard: unknown[] = [];
    const again = await ambry.open(bytes, {
      encoder: async (wanted) => {
        heard.push(wanted);
        return ambry.open(encoderFile, { kind: 'encoder' });
      },
    });
    expect(heard).toEqual([{ reference: 'english.weights', format: 'embd', dim: 336 }]);
    expect(await again.classify(texts)).toEqual(answers);
    await again.dispose();
    await expect(again.classify('a')).rejects.toMatchObject({ code: 'Cancelled' });
  });

  test('the encoder stays open that was given', async () => {
    const again = await ambry.open(bytes, { encoder });
    await again.dispose();
    await expect(again.classify('a')).rejects.toMatchObject({ code: 'Cancelled' });
    expect(await encoder.embed('a')).toHaveLength(336);
  });

  test.each([
    ['of any kind', {}],
    ['of its kind', { kind: 'textClassifier' }],
  ] as const)('without its encoder, %s, open says which one it is', async (_, options) => {
    for (const source of [bytes, file.stream(), at('topics.safetensors')]) {
      await expect(ambry.open(source, options)).rejects.toMatchObject({
        code: 'BadValue',
        path: 'options.encoder',
        message: expect.stringContaining('336 numbers a vector, english.weights'),
      });
    }
    const { kind, obstacle } = await ambry.runReport(bytes);
    expect([kind, obstacle?.path]).toEqual(['textClassifier', 'options.encoder']);
  });

  test('another encoder is refused, and what is none', async () => {
    const at = { path: 'options.encoder' };
    const mismatch = { code: 'Mismatch', ...at };
    await expect(ambry.open(bytes, { encoder: other })).rejects.toMatchObject(mismatch);
    const none = { code: 'BadValue', ...at };
    await expect(ambry.open(bytes, { encoder: {} as never })).rejects.toMatchObject(none);
    const opened = ambry.open(bytes, { encoder: async () => 3 as never });
    await expect(opened).rejects.toMatchObject(none);
    const asGenerator = ambry.open(bytes, { kind: 'generator', encoder });
    await expect(asGenerator).rejects.toMatchObject(none);
    const quantized = ambry.open(bytes, { encoder, quantize: 'int8' });
    await expect(quantized).rejects.toMatchObject({ path: 'options.quantize' });
  });

  test('a model is no classifier', async () => {
    const refused = ambry.open(encoderFile, { encoder });
    await expect(refused).rejects.toMatchObject({ code: 'BadMagic', path: 'metadata.format' });
  });
});
