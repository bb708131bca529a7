// What the tests of arguments call: a model of each kind, an index, a session, and values for them.
import { afterAll } from 'vitest';
import type * as passages from '../../../web/src/entries/passages/passages.ts';
import type { VectorsEntry } from '../../../web/src/entries/vectors-entry.ts';
import { headDirectory, nliLabels } from '../support/directories/head-directories.ts';
import { colbertDirectory } from '../support/directories/late-directories.ts';
import { allOutputsDirectory } from '../support/directories/sparse-directories.ts';
import { taggerDirectory } from '../support/directories/tagger-directories.ts';
import { maskDirectory, questionDirectory } from '../support/directories/token-head-directories.ts';
import { classifierFile } from '../support/files/classifier-files.ts';
import { languageFile } from '../support/files/language-file.ts';
import { networkFile } from '../support/files/network-file.ts';
import { wordFile } from '../support/files/word-files.ts';
import { ambry, smallModel } from '../support/package.ts';
import type { WrongName } from '../support/wrong-values.ts';

export const dist = (name: string) => new URL(`../../../dist/${name}.js`, import.meta.url).href;
export const {
  readDocument,
  readExamples,
  readRecords,
  dropDuplicates,
  leftOutOf,
}: typeof passages = await import(dist('passages/node-passages'));
export const ofVectors: VectorsEntry = await import(dist('node-vectors'));

export const file = await smallModel();
export const {
  open,
  openJournal,
  createIndex,
  openIndex,
  createVectorIndex,
  openVectorIndex,
  createClassifier,
} = ambry;
export const encoder = await open(file, { kind: 'encoder' });
export const late = await open(colbertDirectory(), { kind: 'encoder' });
export const reranker = await open(headDirectory(), { kind: 'reranker' });
export const tagger = await open(taggerDirectory(), { kind: 'tokenClassifier' });
export const reader = await open(questionDirectory(), { kind: 'questionAnswering' });
export const filler = await open(maskDirectory(), { kind: 'fillMask' });
export const sparse = await open(maskDirectory(), { kind: 'sparseEncoder' });
export const m3 = await open(allOutputsDirectory(), { kind: 'encoder' });
const wordBytes = wordFile({ words: ['east', 'west'], dim: 2, row: (i) => [1 - i, i] });
export const vectors = await open(new Blob([wordBytes]), { kind: 'words' });
export const network = await open(networkFile(), { kind: 'imageClassifier' });
export const labels = await open(classifierFile('softmax.bin'), { kind: 'textClassifier' });
export const nli = await open(headDirectory({ labels: nliLabels }), { kind: 'textClassifier' });
export const generator = await open(languageFile({ context: 512 }), { kind: 'generator' });
export const session = generator.session();
export const tokenizer = await ambry.openTokenizer(file);
export const examples = [
  { text: 'the cat', label: 'animal' },
  { text: 'the mat', label: 'thing' },
];
export const trained = await createClassifier(encoder, examples);
export const index = await createIndex(encoder, [{ text: 'the cat' }]);
export const saved = await index.save();
export const rows = new Float32Array([1, 0, 0, 1]);
export const near = await createVectorIndex({ vectors: rows, dim: 2 });
export const savedVectors = await near.save();
const heads = [reranker, tagger, reader, filler, sparse, m3, nli];
export const opened = [encoder, late, vectors, network, labels, generator, tokenizer, ...heads];
afterAll(async () => {
  for (const each of [...opened, index, near]) {
    await each.dispose();
  }
});

export const decoded = { width: 1, height: 1, data: new Uint8Array(4) };
export const pixels = Float32Array.from({ length: 16 }, () => 0.5);
export const said = [{ role: 'user', content: 'Hello' }];
export const template = '{% for m in messages %}{{ m.content }}{% endfor %}';
export const bytes = new TextEncoder().encode('# A title');
export const jsonLines = {
  async *[Symbol.asyncIterator]() {
    yield new TextEncoder().encode('{}');
  },
};
export const tool = { type: 'function', function: { name: 'f' } };
export const sessionBytes = await session.save();
export const journal = { read: async () => '', append: async () => {} };

export const noOptions: readonly WrongName[] = [
  'undefined',
  'object',
  'object without class',
  'proxy',
];
export const texts: readonly WrongName[] = ['empty text', 'text', 'half a character'];
export const lists: readonly WrongName[] = ['empty list'];
/** A report says what is wrong with these. */
export const anySource: readonly WrongName[] = [
  'object',
  'object of others',
  'map',
  'blob',
  'buffer',
  'bytes',
  'proxy',
];
export const ids: readonly WrongName[] = ['bytes', 'floats'];
export const textOrTexts = [...texts, ...lists];

export const generate = (...given: Parameters<typeof generator.generate>) =>
  generator.generate(...given).result;
export const generateAll = (...given: Parameters<typeof generator.generateAll>) =>
  generator.generateAll(...given).results;
export const send = (...given: Parameters<typeof session.send>) =>
  generator.session().send(...given).result;
export const firstRecord = (...given: Parameters<typeof readRecords>) =>
  readRecords(...given).next();
export const sparseVector = { ids: new Uint32Array([1]), weights: new Float32Array([1]) };
export const short = { maxTokens: 1 };
