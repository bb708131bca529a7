// The small model as directories of sparse encoders.

import { pytorchFile, tensorsIn } from '../files/pytorch-file.ts';
import { modelDirectory, safetensors, testVocabulary } from '../fixtures.ts';
import { maskDirectory } from './token-head-directories.ts';

type Files = Map<string, Uint8Array<ArrayBuffer>>;

const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const chain = ['MLMTransformer', 'SpladePooling'];
const listOf = (modules: readonly (readonly [path: string, kind: string])[]) =>
  json(modules.map(([path, kind], idx) => ({ idx, name: String(idx), path, type: `x.${kind}` })));

/** As sentence-transformers saves SPLADE. */
export function spladeDirectory(pooling: object = {}): Files {
  const files = maskDirectory();
  files.set('modules.json', listOf(chain.map((kind, i) => [i ? `${i}_${kind}` : '', kind])));
  files.set('1_SpladePooling/config.json', json(pooling));
  return files;
}

const fixedFile = () => safetensors([['weight', [testVocabulary.length]]], 9);
const valuesOf = (file: Uint8Array, name: string) =>
  new Float32Array(
    tensorsIn(file)
      .find((tensor) => tensor.name === name)
      ?.data.slice().buffer as ArrayBuffer,
  );

/** The fixed weights of the words of queries, by id. */
export const fixedWeights = () => valuesOf(fixedFile(), 'weight');

/** With a router, whose document's model lies in `folder`: fixed weights for queries. */
export function routedDirectory(folder = ''): Files {
  const plain = maskDirectory();
  const files: Files = new Map(
    [...plain].map(([name, file]) => [folder === '' ? name : `${folder}/${name}`, file]),
  );
  const query = 'query_0_SparseStaticEmbedding';
  const pooling = 'document_1_SpladePooling';
  files.set('modules.json', listOf([['', 'Router']]));
  files.set(
    'router_config.json',
    json({
      types: {
        [query]: 'x.SparseStaticEmbedding',
        [folder]: `x.${chain[0]}`,
        [pooling]: `x.${chain[1]}`,
      },
      structure: { query: [query], document: [folder, pooling] },
      parameters: { default_route: 'document' },
    }),
  );
  files.set(`${query}/config.json`, json({ frozen: true }));
  files.set(`${query}/model.safetensors`, fixedFile());
  files.set(`${pooling}/config.json`, json({ activation_function: 'log1p_relu' }));
  return files;
}

const tokenHead = () =>
  safetensors(
    [
      ['weight', [1, 32]],
      ['bias', [1]],
    ],
    5,
  );

/** What a token's vector says of its word. */
export function tokenWeight(vector: Float32Array): number {
  const weights = valuesOf(tokenHead(), 'weight');
  const [bias = 0] = valuesOf(tokenHead(), 'bias');
  return Math.max(
    0,
    weights.reduce((sum, weight, i) => sum + weight * (vector[i] ?? 0), bias),
  );
}

/** A sentence encoder with the head of BGE-M3 beside it. */
export function tokenWeightsDirectory(): Files {
  const files = modelDirectory();
  files.set('sparse_linear.pt', pytorchFile(tensorsIn(tokenHead())));
  return files;
}

/** As BGE-M3: with that head, and with the layer that makes vectors of tokens. */
export function allOutputsDirectory(): Files {
  const files = tokenWeightsDirectory();
  const layer = safetensors(
    [
      ['weight', [32, 32]],
      ['bias', [32]],
    ],
    11,
  );
  files.set('colbert_linear.pt', pytorchFile(tensorsIn(layer)));
  return files;
}
