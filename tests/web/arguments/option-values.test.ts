// No option of any call ends in an error of JavaScript.
import { expect, test } from 'vitest';
import { ambry } from '../support/package.ts';
import { fewWrong, outcomeOf, wrongValues } from '../support/wrong-values.ts';
import {
  bytes,
  createClassifier,
  createIndex,
  createVectorIndex,
  encoder,
  examples,
  file,
  filler,
  generate,
  generator,
  index,
  journal,
  jsonLines,
  labels,
  late,
  m3,
  near,
  network,
  nli,
  ofVectors,
  open,
  openIndex,
  openVectorIndex,
  pixels,
  readDocument,
  reader,
  readRecords,
  reranker,
  rows,
  said,
  saved,
  savedVectors,
  sessionBytes,
  short,
  sparse,
  tagger,
  template,
  tokenizer,
  trained,
  vectors,
} from './opened.ts';

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
