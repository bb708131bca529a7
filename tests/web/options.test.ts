// Every call of the package refuses an option that it does not have, and none is ignored.
import { afterAll, describe, expect, test } from 'vitest';
import type * as passages from '../../web/src/entries/passages/passages.ts';
import { headDirectory, nliLabels } from './support/directories/head-directories.ts';
import { colbertDirectory } from './support/directories/late-directories.ts';
import { allOutputsDirectory } from './support/directories/sparse-directories.ts';
import { taggerDirectory } from './support/directories/tagger-directories.ts';
import { maskDirectory, questionDirectory } from './support/directories/token-head-directories.ts';
import { classifierFile } from './support/files/classifier-files.ts';
import { languageFile } from './support/files/language-file.ts';
import { networkFile, networkPlan } from './support/files/network-file.ts';
import { wordFile } from './support/files/word-files.ts';
import { ambry, smallModel } from './support/package.ts';

const dist = (name: string) => new URL(`../../dist/${name}.js`, import.meta.url).href;
const { readDocument, readRecords }: typeof passages = await import(dist('passages/node-passages'));

const file = await smallModel();
const { open, createIndex, createVectorIndex, createClassifier } = ambry;
const encoder = await open(file, { kind: 'encoder' });
const late = await open(colbertDirectory(), { kind: 'encoder' });
const reranker = await open(headDirectory(), { kind: 'reranker' });
const tagger = await open(taggerDirectory(), { kind: 'tokenClassifier' });
const reader = await open(questionDirectory(), { kind: 'questionAnswering' });
const filler = await open(maskDirectory(), { kind: 'fillMask' });
const sparse = await open(maskDirectory(), { kind: 'sparseEncoder' });
const m3 = await open(allOutputsDirectory(), { kind: 'encoder' });
const vectorFile = wordFile({ words: ['east', 'west'], dim: 2, row: (i) => [1 - i, i] });
const vectors = await open(new Blob([vectorFile]), { kind: 'words' });
const network = await open(networkFile(), { kind: 'imageClassifier' });
const labels = await open(classifierFile('softmax.bin'), { kind: 'textClassifier' });
const nli = await open(headDirectory({ labels: nliLabels }), { kind: 'textClassifier' });
const generator = await open(languageFile({ context: 512 }), { kind: 'generator' });
const session = generator.session();
const journal = { read: async () => '', append: async () => {} };
const tokenizer = await ambry.openTokenizer(file);
const examples = [
  { text: 'the cat', label: 'animal' },
  { text: 'the mat', label: 'thing' },
];
const trained = await createClassifier(encoder, examples);
const index = await createIndex(encoder, [{ text: 'the cat' }]);
const rows = new Float32Array([1, 0, 0, 1]);
const near = await createVectorIndex({ vectors: rows, dim: 2 });
const heads = [reranker, tagger, reader, filler, sparse, m3, nli];
const opened = [encoder, late, vectors, network, labels, generator, tokenizer, ...heads];
afterAll(async () => {
  for (const each of [...opened, index, near]) {
    await each.dispose();
  }
});

const pixels = Float32Array.from({ length: 16 }, () => 0.5);
const said = [{ role: 'user', content: 'Hello' }];

/** A call, an option that it does not have, and the one that is meant. */
type Row = readonly [call: string, run: (options: never) => unknown, wrong: string, meant: string];
const calls: readonly Row[] = [
  ['open', (o) => open(file, o), 'wieghts', 'weights'],
  ['openTokenizer', (o) => ambry.openTokenizer(file, o), 'lowercased', 'lowercase'],
  ['inspect', (o) => ambry.inspect(file, o), 'cach', 'cache'],
  ['runReport', (o) => ambry.runReport(file, o), 'sha265', 'sha256'],
  ['validate', (o) => ambry.validate(file, o), 'value', 'values'],
  ['convert', (o) => ambry.convert(file, o), 'dtyp', 'dtype'],
  ['conversionTargets', (o) => ambry.conversionTargets(file, o), 'fron', 'from'],
  ['distill', (o) => ambry.distill(file, o), 'dimm', 'dim'],
  ['doctor', (o) => ambry.doctor(undefined, o), 'stalltimeout', 'stallTimeout'],
  ['createClassifier', (o) => createClassifier(encoder, examples, o), 'balance', 'balanced'],
  ['TrainedClassifier.save', (o) => trained.save(o), 'modell', 'model'],
  ['createIndex', (o) => createIndex(encoder, [], o), 'wrokers', 'workers'],
  ['createVectorIndex', (o) => createVectorIndex({ vectors: rows, dim: 2 }, o), 'recal', 'recall'],
  [
    'openIndex',
    (o) => ambry.openIndex(file, Object.assign({ model: encoder }, o)),
    'signals',
    'signal',
  ],
  ['openVectorIndex', (o) => ambry.openVectorIndex(file, o), 'memroy', 'memory'],
  ['cache.list', (o) => ambry.cache.list(o), 'directry', 'directory'],
  ['cache.size', (o) => ambry.cache.size(o), 'directry', 'directory'],
  ['cache.delete', (o) => ambry.cache.delete('https://a.example/b', o), 'directry', 'directory'],
  ['cache.clear', (o) => ambry.cache.clear(o), 'directry', 'directory'],
  ['tokenize', (o) => encoder.tokenize('cat', o), 'specail', 'special'],
  ['detokenize', (o) => tokenizer.detokenize([1], o), 'skipspecial', 'skipSpecial'],
  ['Encoder.embed', (o) => encoder.embed('cat', o), 'poling', 'pooling'],
  ['Encoder.embedTokens', (o) => late.embedTokens('cat', o), 'promt', 'prompt'],
  ['Encoder.rank', (o) => late.rank('cat', ['dog'], o), 'returnDocument', 'returnDocuments'],
  ['Encoder.explain', (o) => encoder.explain('cat', 'dog', o), 'docprompt', 'docPrompt'],
  ['Reranker.rank', (o) => reranker.rank('cat', ['dog'], o), 'kk', 'k'],
  ['Reranker.score', (o) => reranker.score(['cat'], o), 'trunctae', 'truncate'],
  ['Reranker.logits', (o) => reranker.logits(['cat'], o), 'onprogress', 'onProgress'],
  ['tag', (o) => tagger.tag('cat', o), 'agregation', 'aggregation'],
  ['redact', (o) => tagger.redact('cat', o), 'replacment', 'replacement'],
  ['answer', (o) => reader.answer('cat?', 'a cat', o), 'noanswer', 'noAnswer'],
  ['fill', (o) => filler.fill('a [MASK]', o), 'candidate', 'candidates'],
  ['embedSparse', (o) => sparse.embedSparse('cat', o), 'word', 'words'],
  ['embedAll', (o) => m3.embedAll('cat', o), 'token', 'tokens'],
  ['TextClassifier.classify', (o) => nli.classify('cat', o), 'candidate', 'candidates'],
  ['TextClassifier.logits', (o) => nli.logits(['cat'], o), 'truncat', 'truncate'],
  ['WordVectors.embed', (o) => vectors.embed('east', o), 'normalise', 'normalize'],
  ['WordVectors.vector', (o) => vectors.vector('east', o), 'unnormalised', 'unnormalized'],
  ['WordVectors.vectors', (o) => vectors.vectors(['east'], o), 'unnormalised', 'unnormalized'],
  ['WordVectors.explain', (o) => vectors.explain('east', o), 'sginal', 'signal'],
  ['WordVectors.similar', (o) => vectors.similar('east', o), 'metrics', 'metric'],
  ['WordVectors.analogy', (o) => vectors.analogy('east', 'west', 'east', o), 'includes', 'include'],
  ['WordVectors.accuracy', (o) => vectors.accuracy('', o), 'signl', 'signal'],
  ['WordVectors.list', (o) => vectors.list(o), 'ofset', 'offset'],
  ['ImageClassifier.classify', (o) => network.classify(pixels, o), 'treshold', 'threshold'],
  ['run', (o) => network.run(pixels, o), 'activation', 'activations'],
  ['agreement', (o) => network.agreement(network, [pixels], o), 'pln', 'plan'],
  ['classify with fastText', (o) => labels.classify('Hello', o), 'treshold', 'threshold'],
  ['generate', (o) => generator.generate('a', o).result, 'temprature', 'temperature'],
  ['generateAll', (o) => generator.generateAll(['a'], o).results, 'maxtokens', 'maxTokens'],
  ['Generator.embed', (o) => generator.embed('a', o), 'poolng', 'pooling'],
  ['Generator.logits', (o) => generator.logits('a', o), 'al', 'all'],
  ['decide', (o) => generator.decide('a', { b: 'boolean' }, o), 'normalise', 'normalize'],
  ['perplexity', (o) => generator.perplexity('ab', o), 'strid', 'stride'],
  ['applyChatTemplate', (o) => generator.applyChatTemplate(said, o), 'variable', 'variables'],
  ['restoreSession', async (o) => generator.restoreSession(await session.save(), o), 'trm', 'trim'],
  ['resumeSession', (o) => generator.resumeSession(journal, o), 'sistem', 'system'],
  ['send', (o) => session.send('Hello', o).result, 'topNsigma', 'topNSigma'],
  ['index.add', (o) => index.add([{ text: 'dog' }], o), 'worker', 'workers'],
  ['index.search', (o) => index.search('cat', o), 'hybird', 'hybrid'],
  ['index.answer', (o) => index.answer(reader, 'cat?', o), 'passage', 'passages'],
  ['index.save', (o) => index.save(o), 'modell', 'model'],
  ['search of vectors', (o) => near.search(rows.subarray(2), o), 'probe', 'probes'],
  ['recall', (o) => near.recall([rows.subarray(2)], o), 'filters', 'filter'],
  ['readDocument', (o) => readDocument('a.txt', new Uint8Array(1), o), 'mst', 'most'],
  ['readRecords', (o) => readRecords(new Blob().stream(), o).next(), 'onBadline', 'onBadLine'],
];

test.each(calls)('%s', async (_, run, wrong, meant) => {
  await expect(run({ [wrong]: 1 } as never)).rejects.toMatchObject({
    name: 'AmbryError',
    code: 'BadValue',
    path: `options.${wrong}`,
    message: `There is no option "${wrong}". Did you mean "${meant}"?`,
  });
});

const byTheCore: readonly (readonly [string, () => Promise<unknown>, string])[] = [
  ['quantize', () => ambry.quantize(file, { type: 'int8', blok: 1 } as never), 'options.blok'],
  [
    'a form of answers',
    () => generator.generate('a', { format: { choices: ['a'], choice: 1 } as never }).result,
    'options.format',
  ],
  [
    'a plan of a network',
    () => network.classify(pixels, { plan: { ...networkPlan, label: ['a'] } as never }),
    'plan.label',
  ],
];

test.each(byTheCore)('%s is checked by the core', async (_, run, path) => {
  await expect(run()).rejects.toMatchObject({ name: 'AmbryError', code: 'BadValue', path });
});

/** Functions that take no options. */
const without = ['uprightPixels', 'cosine', 'dot', 'sparseDot', 'openJournal'];

test('every function of the package is among them', () => {
  const functions = Object.entries(ambry).filter(
    ([name, value]) => typeof value === 'function' && name !== 'AmbryError',
  );
  const tried = [...calls, ...byTheCore].map(([call]) => call).concat(without);
  expect(functions.map(([name]) => name).filter((name) => !tried.includes(name))).toEqual([]);
});

test('session', () => {
  expect(() => generator.session({ sytem: 'Be brief.' } as object)).toThrow(
    expect.objectContaining({
      code: 'BadValue',
      path: 'options.sytem',
      message: 'There is no option "sytem".',
    }),
  );
});

test.each([
  ['zzxxqq'],
  ['toString'],
  ['__proto__'],
  ['x'.repeat(10_000)],
])('a name that is like no other is shown, in part if it is long', async (name) => {
  const options = JSON.parse(`{"${name}": 1}`) as object;
  await expect(encoder.embed('cat', options)).rejects.toMatchObject({
    path: `options.${name.slice(0, 100)}`,
    message: `There is no option "${name.slice(0, 100)}".`,
  });
});

describe('in objects within', () => {
  const words = new Blob([vectorFile]);
  const within: readonly (readonly [string, () => Promise<unknown>, string])[] = [
    ['hub', () => open(file, { hub: { tokn: '' } } as object), 'options.hub.tokn'],
    ['cache', () => ambry.inspect(file, { cache: { dir: '.' } } as object), 'options.cache.dir'],
    [
      'hub of quantize',
      () => ambry.quantize(file, { type: 'int8', hub: { endpont: '' } } as never),
      'options.hub.endpont',
    ],
    ['keep', () => createIndex(encoder, [], { keep: { pth: 'a' } } as never), 'options.keep.pth'],
    [
      'select',
      () => ambry.convert(words, { select: { words: [], ignoreUnknwn: true } } as never),
      'options.select.ignoreUnknwn',
    ],
    [
      'metadata of distill',
      () => ambry.distill(file, { metadata: { modelName: 'a' } } as never),
      'options.metadata.modelName',
    ],
    [
      'a prompt',
      () => generator.generate({ messages: said, tool: [] } as never).result,
      'prompt.tool',
    ],
    [
      'a list of prompts',
      () => generator.generateAll(['a', { messages: said, tool: [] } as never]).results,
      'prompts[1].tool',
    ],
    [
      'a collection',
      () => createVectorIndex({ vectors: rows, dim: 2, id: [] } as never),
      'collection.id',
    ],
  ];
  test.each(within)('%s', async (_, run, path) => {
    await expect(run()).rejects.toMatchObject({ name: 'AmbryError', code: 'BadValue', path });
  });
});

describe('entries for one purpose', () => {
  test.each([
    'encoder',
    'static-encoder',
    'words',
    'image-classifier',
    'text-classifier',
    'generator',
  ])('ambry/%s', async (name) => {
    const entry = await import(dist(`node-${name}`));
    await expect(entry.open(file, { thread: 1 })).rejects.toMatchObject({ path: 'options.thread' });
  });

  test('ambry/vectors', async () => {
    const { clusterVectors, projectVectors } = await import(dist('node-vectors'));
    await expect(clusterVectors(rows, { dim: 2, counts: 1 })).rejects.toMatchObject({
      message: 'There is no option "counts". Did you mean "count"?',
    });
    await expect(projectVectors(rows, { dim: 2, count: 1 })).rejects.toMatchObject({
      path: 'options.count',
    });
  });
});

test('an option that is undefined is as good as absent', async () => {
  const given = { dim: undefined, signal: undefined, poling: undefined };
  const row = await encoder.embed('cat', given as object);
  expect(row).toEqual(await encoder.embed('cat'));
});

test('only what the options have of their own counts', async () => {
  class Settings {
    readonly dim = 4;
  }
  Object.assign(Settings.prototype, { poling: 'mean' });
  expect(await encoder.embed('cat', new Settings())).toHaveLength(4);
});
