// Small static encoders as directories: Model2Vec's, and sentence-transformers'.
import { testVocabulary } from '../fixtures.ts';
import type { Files } from './model-directories.ts';

export const staticDim = 6;

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** Row i of the model, before any weight. */
export function staticRow(id: number): number[] {
  return Array.from({ length: staticDim }, (_, j) => Math.fround(Math.sin(1 + id * 7 + j * 3)));
}

const tokenizer = {
  added_tokens: [],
  normalizer: { type: 'BertNormalizer', lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    vocab: Object.fromEntries(testVocabulary.map((token, id) => [token, id])),
  },
};

function weights(name: string): Uint8Array<ArrayBuffer> {
  const rows = testVocabulary.flatMap((_, id) => staticRow(id));
  return rowsFile(name, rows);
}

function rowsFile(name: string, rows: readonly number[]): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(Float32Array.from(rows).buffer);
  const shape = [testVocabulary.length, staticDim];
  const text = JSON.stringify({ [name]: { dtype: 'F32', shape, data_offsets: [0, data.length] } });
  const header = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 8) * 8));
  const file = new Uint8Array(8 + header.length + data.length);
  new DataView(file.buffer).setUint32(0, header.length, true);
  file.set(header, 8);
  file.set(data, 8 + header.length);
  return file;
}

export function model2vecDirectory(normalize = false): Files {
  return new Map([
    ['config.json', bytes({ model_type: 'model2vec', normalize, hidden_dim: staticDim })],
    ['tokenizer.json', bytes(tokenizer)],
    ['model.safetensors', weights('embeddings')],
  ]);
}

/** Model2Vec's with a Unigram tokenizer, whose words have the rows of the same words in the other directories. */
export function unigramDirectory(): Files {
  const vocab = testVocabulary.map((token, id) => [`\u2581${token}`, -1 - id / 100]);
  const metaspace = { type: 'Metaspace', replacement: '\u2581', prepend_scheme: 'always' };
  const unigram = {
    added_tokens: [],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: metaspace,
    post_processor: null,
    decoder: metaspace,
    model: { type: 'Unigram', unk_id: 0, vocab },
  };
  return new Map([...model2vecDirectory(), ['tokenizer.json', bytes(unigram)]]);
}

/** With the module in the folder of this name; empty: at the top. */
export function staticEmbeddingDirectory(folder = ''): Files {
  const at = (name: string) => (folder === '' ? name : `${folder}/${name}`);
  const type = 'sentence_transformers.models.StaticEmbedding';
  return new Map([
    ['modules.json', bytes([{ idx: 0, name: '0', path: folder, type }])],
    [at('tokenizer.json'), bytes(tokenizer)],
    [at('model.safetensors'), weights('embedding.weight')],
  ]);
}

/** The mean of the rows of these tokens. */
export function meanRow(tokens: readonly string[]): number[] {
  const rows = tokens.map((token) => staticRow(testVocabulary.indexOf(token)));
  return Array.from(
    { length: staticDim },
    (_, j) => rows.reduce((sum, row) => sum + (row[j] ?? 0), 0) / rows.length,
  );
}
