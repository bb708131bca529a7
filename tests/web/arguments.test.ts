// Every public call refuses arguments that it does not take by an AmbryError, which says which one and what it must be. None
// ends in an error of JavaScript, in a worker that died, or in an answer to something else.
import { afterAll, describe, expect, test } from 'vitest';
import type * as passages from '../../web/src/entries/passages/passages.ts';
import type { VectorsEntry } from '../../web/src/entries/vectors-entry.ts';
import { headDirectory, nliLabels } from './support/directories/head-directories.ts';
import { colbertDirectory } from './support/directories/late-directories.ts';
import { allOutputsDirectory } from './support/directories/sparse-directories.ts';
import { taggerDirectory } from './support/directories/tagger-directories.ts';
import { maskDirectory, questionDirectory } from './support/directories/token-head-directories.ts';
import { classifierFile } from './support/files/classifier-files.ts';
import { languageFile } from './support/files/language-file.ts';
import { networkFile } from './support/files/network-file.ts';
import { wordFile } from './support/files/word-files.ts';
import { ambry, smallModel } from './support/package.ts';
import {
  type Call,
  method,
  outcomeOf,
  type WrongName,
  wrongValues,
} from './support/wrong-values.ts';

const dist = (name: string) => new URL(`../../dist/${name}.js`, import.meta.url).href;
const { readDocument, readExamples, readRecords, dropDuplicates, leftOutOf }: typeof passages =
  await import(dist('passages/node-passages'));
const ofVectors: VectorsEntry = await import(dist('node-vectors'));

const file = await smallModel();
const {
  open,
  openJournal,
  createIndex,
  openIndex,
  createVectorIndex,
  openVectorIndex,
  createClassifier,
} = ambry;
const encoder = await open(file, { kind: 'encoder' });
const late = await open(colbertDirectory(), { kind: 'encoder' });
const reranker = await open(headDirectory(), { kind: 'reranker' });
const tagger = await open(taggerDirectory(), { kind: 'tokenClassifier' });
const reader = await open(questionDirectory(), { kind: 'questionAnswering' });
const filler = await open(maskDirectory(), { kind: 'fillMask' });
const sparse = await open(maskDirectory(), { kind: 'sparseEncoder' });
const m3 = await open(allOutputsDirectory(), { kind: 'encoder' });
const wordBytes = wordFile({ words: ['east', 'west'], dim: 2, row: (i) => [1 - i, i] });
const vectors = await open(new Blob([wordBytes]), { kind: 'words' });
const network = await open(networkFile(), { kind: 'imageClassifier' });
const labels = await open(classifierFile('softmax.bin'), { kind: 'textClassifier' });
const nli = await open(headDirectory({ labels: nliLabels }), { kind: 'textClassifier' });
const generator = await open(languageFile({ context: 512 }), { kind: 'generator' });
const session = generator.session();
const tokenizer = await ambry.openTokenizer(file);
const examples = [
  { text: 'the cat', label: 'animal' },
  { text: 'the mat', label: 'thing' },
];
const trained = await createClassifier(encoder, examples);
const index = await createIndex(encoder, [{ text: 'the cat' }]);
const saved = await index.save();
const rows = new Float32Array([1, 0, 0, 1]);
const near = await createVectorIndex({ vectors: rows, dim: 2 });
const savedVectors = await near.save();
const heads = [reranker, tagger, reader, filler, sparse, m3, nli];
const opened = [encoder, late, vectors, network, labels, generator, tokenizer, ...heads];
afterAll(async () => {
  for (const each of [...opened, index, near]) {
    await each.dispose();
  }
});

const decoded = { width: 1, height: 1, data: new Uint8Array(4) };
const pixels = Float32Array.from({ length: 16 }, () => 0.5);
const said = [{ role: 'user', content: 'Hello' }];
const template = '{% for m in messages %}{{ m.content }}{% endfor %}';
const bytes = new TextEncoder().encode('# A title');
const jsonLines = {
  async *[Symbol.asyncIterator]() {
    yield new TextEncoder().encode('{}');
  },
};
const tool = { type: 'function', function: { name: 'f' } };
const sessionBytes = await session.save();
const journal = { read: async () => '', append: async () => {} };

const noOptions: readonly WrongName[] = ['undefined', 'object', 'object without class', 'proxy'];
const texts: readonly WrongName[] = ['empty text', 'text', 'half a character'];
const lists: readonly WrongName[] = ['empty list'];
/** A report says what is wrong with these. */
const anySource: readonly WrongName[] = [
  'object',
  'object of others',
  'map',
  'blob',
  'buffer',
  'bytes',
  'proxy',
];
const ids: readonly WrongName[] = ['bytes', 'floats'];
const textOrTexts = [...texts, ...lists];

const generate = (...given: Parameters<typeof generator.generate>) =>
  generator.generate(...given).result;
const generateAll = (...given: Parameters<typeof generator.generateAll>) =>
  generator.generateAll(...given).results;
const send = (...given: Parameters<typeof session.send>) =>
  generator.session().send(...given).result;
const firstRecord = (...given: Parameters<typeof readRecords>) => readRecords(...given).next();
const sparseVector = { ids: new Uint32Array([1]), weights: new Float32Array([1]) };
const short = { maxTokens: 1 };

const calls: readonly Call[] = [
  ['open', open, [file, {}], [[], noOptions]],
  ['openTokenizer', ambry.openTokenizer, [file, {}], [[], noOptions]],
  ['inspect', ambry.inspect, [file, {}], [[], noOptions]],
  ['runReport', ambry.runReport, [file, {}], [[...anySource, ...texts, 'promise'], noOptions]],
  ['validate', ambry.validate, [file, {}], [anySource, noOptions]],
  ['convert', ambry.convert, [file, {}], [[], noOptions]],
  ['conversionTargets', ambry.conversionTargets, [file, {}], [[], noOptions]],
  ['quantize', ambry.quantize, [file, { type: 'int8', texts: [] }], [[], []]],
  ['distill', ambry.distill, [file, {}], [[], noOptions]],
  ['uprightPixels', ambry.uprightPixels, [decoded, new Uint8Array(4)], [[], ['bytes']]],
  [
    'cosine',
    ambry.cosine,
    [
      [1, 2, 3],
      [1, 2, 3],
    ],
    [['floats'], ['floats']],
  ],
  [
    'dot',
    ambry.dot,
    [
      [1, 2, 3],
      [1, 2, 3],
    ],
    [['floats'], ['floats']],
  ],
  ['sparseDot', ambry.sparseDot, [sparseVector, sparseVector], [[], []]],
  ['doctor', ambry.doctor, [undefined, {}], [['undefined', ...texts], noOptions]],
  ['createClassifier', createClassifier, [encoder, examples, {}], [[], [], noOptions]],
  ['TrainedClassifier.save', method(trained, 'save'), [{}], [noOptions]],
  ['createIndex', createIndex, [encoder, [{ text: 'a' }], {}], [[], lists, noOptions]],
  ['createVectorIndex', createVectorIndex, [{ vectors: rows, dim: 2 }, {}], [[], noOptions]],
  ['openIndex', openIndex, [saved, { model: encoder }], [[], []]],
  ['openVectorIndex', openVectorIndex, [savedVectors, {}], [[], noOptions]],
  ['cache.list', ambry.cache.list, [{}], [noOptions]],
  ['cache.size', ambry.cache.size, [{}], [noOptions]],
  ['cache.delete', ambry.cache.delete, ['https://a.example/b', {}], [texts, noOptions]],
  ['vectorCaches.delete', ambry.vectorCaches.delete, ['none such'], [['text']]],
  ['tokenize', method(encoder, 'tokenize'), ['cat', {}], [texts, noOptions]],
  ['tokenCounts', method(encoder, 'tokenCounts'), [['cat'], {}], [lists, noOptions]],
  [
    'detokenize',
    method(tokenizer, 'detokenize'),
    [[1], {}],
    [['empty list', 'map', ...ids], noOptions],
  ],
  ['Encoder.embed', method(encoder, 'embed'), ['cat', {}], [textOrTexts, noOptions]],
  ['embedTokens', method(late, 'embedTokens'), ['cat', {}], [textOrTexts, noOptions]],
  ['Encoder.rank', method(late, 'rank'), ['cat', ['dog'], {}], [texts, lists, noOptions]],
  ['explain', method(encoder, 'explain'), ['cat', 'dog', {}], [texts, texts, noOptions]],
  ['Reranker.rank', method(reranker, 'rank'), ['cat', ['dog'], {}], [texts, lists, noOptions]],
  ['score', method(reranker, 'score'), [['cat'], {}], [lists, noOptions]],
  ['Reranker.logits', method(reranker, 'logits'), [['cat'], {}], [lists, noOptions]],
  ['tag', method(tagger, 'tag'), ['Hi', {}], [textOrTexts, noOptions]],
  ['redact', method(tagger, 'redact'), ['Hi', {}], [textOrTexts, noOptions]],
  [
    'answer',
    method(reader, 'answer'),
    ['cat?', 'a cat', {}],
    [['text', 'half a character'], textOrTexts, noOptions],
  ],
  ['fill', method(filler, 'fill'), ['a [MASK]', {}], [[], noOptions]],
  ['embedSparse', method(sparse, 'embedSparse'), ['cat', {}], [textOrTexts, noOptions]],
  ['embedAll', method(m3, 'embedAll'), ['cat', {}], [textOrTexts, noOptions]],
  ['WordVectors.embed', method(vectors, 'embed'), ['east', {}], [textOrTexts, noOptions]],
  [
    'WordVectors.vector',
    method(vectors, 'vector'),
    ['east', {}],
    [['empty text', 'text'], noOptions],
  ],
  ['WordVectors.vectors', method(vectors, 'vectors'), [['east'], {}], [lists, noOptions]],
  ['WordVectors.explain', method(vectors, 'explain'), ['east', {}], [texts, noOptions]],
  ['WordVectors.similar', method(vectors, 'similar'), ['east', {}], [[], noOptions]],
  [
    'WordVectors.analogy',
    method(vectors, 'analogy'),
    ['east', 'west', 'east', {}],
    [[], [], [], noOptions],
  ],
  ['WordVectors.accuracy', method(vectors, 'accuracy'), ['', {}], [['empty text'], noOptions]],
  ['WordVectors.list', method(vectors, 'list'), [{}], [noOptions]],
  ['ImageClassifier.classify', method(network, 'classify'), [pixels, {}], [[], noOptions]],
  ['run', method(network, 'run'), [pixels, {}], [[], noOptions]],
  ['agreement', method(network, 'agreement'), [network, [pixels], {}], [[], [], noOptions]],
  ['TextClassifier.classify', method(labels, 'classify'), ['Hi', {}], [textOrTexts, noOptions]],
  ['TextClassifier.logits', method(nli, 'logits'), [['Hi'], {}], [lists, noOptions]],
  ['generate', generate, ['a', short], [[...texts, ...ids], noOptions]],
  ['generateAll', generateAll, [['a'], short], [['list of lists'], noOptions]],
  ['Generator.embed', method(generator, 'embed'), ['a', { pooling: 'mean' }], [textOrTexts, []]],
  ['Generator.logits', method(generator, 'logits'), ['a', {}], [[...texts, ...ids], noOptions]],
  [
    'decide',
    method(generator, 'decide'),
    ['a', { b: 'boolean' }, {}],
    [['text', 'half a character', ...lists], [], noOptions],
  ],
  [
    'perplexity',
    method(generator, 'perplexity'),
    ['ab', {}],
    [['text', 'half a character'], noOptions],
  ],
  [
    'applyChatTemplate',
    method(generator, 'applyChatTemplate'),
    [said, { template }],
    [lists, noOptions],
  ],
  ['parseToolCalls', method(generator, 'parseToolCalls'), ['a', '<tool_call>'], [texts, []]],
  ['toolCallSchema', method(generator, 'toolCallSchema'), [[tool], '<tool_call>'], [[], []]],
  ['session', method(generator, 'session'), [{}], [noOptions]],
  ['restoreSession', method(generator, 'restoreSession'), [sessionBytes, {}], [[], noOptions]],
  ['resumeSession', method(generator, 'resumeSession'), [journal, {}], [[], noOptions]],
  ['openJournal', openJournal, ['unused'], [['text', 'half a character']]],
  ['send', send, ['Hello', short], [texts, noOptions]],
  ['rewind', method(session, 'rewind'), [0], [['zero']]],
  ['index.add', method(index, 'add'), [[{ text: 'dog' }], {}], [lists, noOptions]],
  ['index.remove', method(index, 'remove'), [() => false], [['function']]],
  ['index.search', method(index, 'search'), ['cat', {}], [texts, noOptions]],
  [
    'index.answer',
    method(index, 'answer'),
    [reader, 'cat?', {}],
    [[], ['text', 'half a character'], noOptions],
  ],
  ['index.save', method(index, 'save'), [{}], [noOptions]],
  ['search of vectors', method(near, 'search'), [rows.subarray(2), {}], [lists, noOptions]],
  ['recall', method(near, 'recall'), [[rows.subarray(2)], {}], [lists, noOptions]],
  ['clusterVectors', ofVectors.clusterVectors, [rows, { dim: 2, count: 1 }], [[], []]],
  ['projectVectors', ofVectors.projectVectors, [rows, { dim: 2 }], [[], []]],
  ['readDocument', readDocument, ['a.md', bytes, {}], [texts, texts, noOptions]],
  ['readExamples', readExamples, ['a.csv', bytes], [texts, []]],
  ['readRecords', firstRecord, [jsonLines, {}], [[], noOptions]],
  ['leftOutOf', leftOutOf, [['a.rtf']], [lists]],
  ['dropDuplicates', dropDuplicates, [[{ id: 1, text: 'a', source: 'a', position: 1 }]], [lists]],
];

describe.each(calls)('%s', (_, run, given, right) => {
  test.each(given.map((_, i) => i))('argument %d', async (i) => {
    const outcomes: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const [name, value] of Object.entries(wrongValues)) {
      const others = given.with(i, value);
      outcomes[name] = await outcomeOf(run, others);
      expected[name] = right[i]?.includes(name as WrongName) ? 'taken' : 'refused';
    }
    expect(outcomes).toEqual(expected);
  });
});

test('every function of the package is among them', () => {
  const functions = Object.entries(ambry).filter(
    ([name, value]) => typeof value === 'function' && name !== 'AmbryError',
  );
  const tried = calls.map(([name]) => name);
  expect(functions.map(([name]) => name).filter((name) => !tried.includes(name))).toEqual([]);
});

/** JavaScript or JSON trips over these. There are few, because each call of a job starts a worker, and the calls above have
 *  met all others. */
const fewWrong: readonly WrongName[] = [
  'null',
  'bigint',
  'symbol',
  'text',
  'function',
  'list in itself',
  'object without class',
];

describe('every function of an entry for one purpose', () => {
  test.each([
    'node-encoder',
    'node-static-encoder',
    'node-vectors',
    'node-words',
    'node-image-classifier',
    'node-text-classifier',
    'node-generator',
    'node-tokenizer',
    'node-files',
    'terms',
  ])('%s', async (name) => {
    const entry: Record<string, unknown> = await import(dist(name));
    const raw: string[] = [];
    for (const [call, run] of Object.entries(entry)) {
      if (typeof run !== 'function' || call === 'AmbryError') {
        continue;
      }
      for (const wrong of fewWrong) {
        const value = wrongValues[wrong];
        for (const given of [[value], [file, value]]) {
          const outcome = await outcomeOf(run as Call[1], given);
          raw.push(...(outcome.startsWith('threw') ? [`${call}(${wrong}) ${outcome}`] : []));
        }
      }
    }
    expect(raw).toEqual([]);
  });
});

/** Options by call. What the values above become is the call's affair, but none may end in an error of JavaScript. */
const options: readonly (readonly [string, (options: never) => unknown, string])[] = [
  [
    'open',
    (o) => open(file, o),
    'kind architecture weights mode quantize adapter kv context resident device threads onWarning signal onProgress wasmBinary wasmModule deterministic createWorker cache sha256 stallTimeout hub followBase',
  ],
  ['openTokenizer', (o) => ambry.openTokenizer(file, o), 'lowercase encoding signal onProgress'],
  [
    'inspect',
    (o) => ambry.inspect(file, o),
    'signal onProgress cache sha256 stallTimeout hub followBase',
  ],
  ['validate', (o) => ambry.validate(file, o), 'strict checksums values context'],
  [
    'convert',
    (o) => ambry.convert(file, o),
    'to from arch lowercase task adapter lossy unnormalize dtype dim metadata metadataToml reconstruct explicit select onWarning onReport',
  ],
  ['conversionTargets', (o) => ambry.conversionTargets(file, o), 'from arch dtype dim metadata'],
  [
    'quantize',
    (o) => ambry.quantize(file, Object.assign({ type: 'int8', texts: [] }, o)),
    'type block calibration keep images plan texts metadata onWarning signal',
  ],
  ['distill', (o) => ambry.distill(file, o), 'dim sif dtype vocabSize corpus metadata onWarning'],
  [
    'createClassifier',
    (o) => createClassifier(encoder, examples, o),
    'prompt balanced l2 workers signal onProgress',
  ],
  ['TrainedClassifier.save', (o) => trained.save(o), 'model'],
  [
    'createIndex',
    (o) => createIndex(encoder, [{ text: 'a' }], o),
    'workers prompt vectors sparse language signal',
  ],
  [
    'createVectorIndex',
    (o) => createVectorIndex({ vectors: rows, dim: 2 }, o),
    'vectors recall lists signal onProgress',
  ],
  [
    'a collection',
    (o) => createVectorIndex(Object.assign({ vectors: rows, dim: 2 }, o)),
    'vectors ids dim',
  ],
  [
    'openIndex',
    (o) => openIndex(saved, Object.assign({ model: encoder }, o)),
    'model sparse signal cache sha256',
  ],
  ['openVectorIndex', (o) => openVectorIndex(savedVectors, o), 'memory'],
  ['tokenize', (o) => encoder.tokenize('cat', o), 'special pair'],
  ['tokenCounts', (o) => encoder.tokenCounts(['cat'], o), 'most signal'],
  ['detokenize', (o) => tokenizer.detokenize([1], o), 'skipSpecial'],
  [
    'embed',
    (o) => encoder.embed('cat', o),
    'pooling normalize truncate prompt promptName instruction dim as workers signal onProgress',
  ],
  ['embedTokens', (o) => late.embedTokens('cat', o), 'as truncate prompt signal'],
  ['Encoder.rank', (o) => late.rank('cat', ['dog'], o), 'k returnDocuments truncate'],
  ['explain', (o) => encoder.explain('cat', 'dog', o), 'prompt docPrompt signal'],
  [
    'Reranker.rank',
    (o) => reranker.rank('cat', ['dog'], o),
    'k returnDocuments truncate instruction layer signal',
  ],
  [
    'tag',
    (o) => tagger.tag('cat', o),
    'aggregation stride threshold offsets ignore labels signal onProgress',
  ],
  [
    'redact',
    (o) => tagger.redact('cat', o),
    'aggregation stride threshold offsets ignore labels replacement signal',
  ],
  [
    'answer',
    (o) => reader.answer('cat?', 'a cat', o),
    'k noAnswer maxAnswerTokens overlap offsets signal onProgress',
  ],
  ['fill', (o) => filler.fill('a [MASK]', o), 'k candidates signal onProgress'],
  ['embedSparse', (o) => sparse.embedSparse('cat', o), 'as k words truncate signal onProgress'],
  [
    'embedAll',
    (o) => m3.embedAll('cat', o),
    'dense sparse tokens k words truncate prompt signal onProgress',
  ],
  [
    'TextClassifier.classify',
    (o) => nli.classify('cat', o),
    'k threshold multiLabel candidates hypothesis truncate signal',
  ],
  ['WordVectors.embed', (o) => vectors.embed('east', o), 'pooling normalize prompt dim as workers'],
  ['WordVectors.vector', (o) => vectors.vector('east', o), 'unnormalized signal'],
  ['WordVectors.similar', (o) => vectors.similar('east', o), 'k metric exclude signal'],
  ['WordVectors.analogy', (o) => vectors.analogy('east', 'west', 'east', o), 'k metric include'],
  ['WordVectors.list', (o) => vectors.list(o), 'offset limit'],
  ['TextClassifier.logits', (o) => nli.logits(['cat'], o), 'truncate signal'],
  ['ImageClassifier.classify', (o) => network.classify(pixels, o), 'k threshold plan mode signal'],
  ['run', (o) => network.run(pixels, o), 'k threshold plan mode trace activations signal'],
  ['classify with fastText', (o) => labels.classify('Hello', o), 'k threshold signal'],
  [
    'generate',
    (o) => generate('a', Object.assign({ maxTokens: 1 }, o)),
    'maxTokens n batchSize stop stopIds format logprobs promptLookupNumTokens maxMatchingNgramSize logitBias ignoreEos seed temperature topK topP minP signal onProgress',
  ],
  [
    'a prompt',
    (o) => generate(Object.assign({ messages: said, template }, o), short),
    'messages template tools variables',
  ],
  ['logits', (o) => generator.logits('a', o), 'all signal'],
  [
    'decide',
    (o) => generator.decide('a', { b: 'boolean' }, o),
    'normalize prompt system template variables signal onProgress',
  ],
  ['perplexity', (o) => generator.perplexity('ab', o), 'window stride'],
  [
    'applyChatTemplate',
    (o) => generator.applyChatTemplate(said, Object.assign({ template }, o)),
    'template addGenerationPrompt variables signal',
  ],
  [
    'session',
    (o) => generator.session(o),
    'system messages template variables trim journal maxTokens',
  ],
  [
    'resumeSession',
    (o) => generator.resumeSession(journal, o),
    'system messages template variables trim maxTokens',
  ],
  ['restoreSession', (o) => generator.restoreSession(sessionBytes, o), 'template variables trim'],
  ['index.add', (o) => index.add([{ text: 'dog' }], o), 'workers signal'],
  [
    'index.search',
    (o) => index.search('cat', o),
    'k prompt hybrid sparse filter rerank candidates signal',
  ],
  [
    'index.answer',
    (o) => index.answer(reader, 'cat?', o),
    'k passages noAnswer maxAnswerTokens overlap offsets prompt hybrid sparse filter rerank candidates signal',
  ],
  ['index.save', (o) => index.save(o), 'model'],
  [
    'search of vectors',
    (o) => near.search(rows.subarray(2), o),
    'k probes candidates filter signal',
  ],
  [
    'clusterVectors',
    (o) => ofVectors.clusterVectors(rows, Object.assign({ dim: 2, count: 1 }, o)),
    'dim count',
  ],
  ['readDocument', (o) => readDocument('a.md', bytes, o), 'count most signal'],
  ['readRecords', (o) => readRecords(jsonLines, o).next(), 'onBadLine name signal'],
];

const eachOption = options.flatMap(([call, run, names]) =>
  names.split(' ').map((name) => [call, name, run] as const),
);
test.each(eachOption)('%s with the option %s', async (_, name, run) => {
  const raw: string[] = [];
  for (const wrong of fewWrong) {
    const outcome = await outcomeOf(run, [{ [name]: wrongValues[wrong] }]);
    raw.push(...(outcome.startsWith('threw') ? [`${wrong} ${outcome}`] : []));
  }
  expect(raw).toEqual([]);
});
