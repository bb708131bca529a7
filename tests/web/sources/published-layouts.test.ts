// Which files of published repositories are read, and that the rest is known or named.
import { describe, expect, test } from 'vitest';
import { neededWeights, unreadWarning } from '../../../web/src/convert/needed-weights.ts';
import { directoryParts } from '../../../web/src/sources/directory/directory.ts';
import { layouts, listed, safetensors, wordPiece } from './published-layouts.ts';

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

function partsOf(names: readonly string[]) {
  return directoryParts(new Map(names.map((name) => [name, new Uint8Array()])));
}

describe('the files of published repositories', () => {
  test.each(Object.entries({ ...layouts, ...listed }))('%s', (_, names) => {
    const { weights, missing, unread } = partsOf(names);
    expect(missing).toBe(undefined);
    expect(weights.length).toBeGreaterThan(0);
    expect(unread).toEqual([]);
  });

  test('the head that weighs tokens is read where a sparse encoder is asked for', () => {
    const given = partsOf([...(layouts['bge-m3'] ?? []), 'sparse_linear.pt']);
    const weights = given.weights.map(([name]) => ({ name }));
    const read = (head?: string) => neededWeights(weights, new Map(), head).map(({ name }) => name);
    expect(read()).toEqual(['pytorch_model.bin']);
    expect(read('fillMask')).toEqual(['pytorch_model.bin']);
    expect(read('sparseEncoder')).toEqual(['pytorch_model.bin', 'sparse_linear.pt']);
  });

  test('both heads for tokens are read beside vectors of texts, and one of them alone is not', () => {
    const read = (linears: readonly string[], head?: string) => {
      const { weights, unread } = partsOf([...(layouts['bge-m3'] ?? []), ...linears]);
      expect(unread).toEqual([]);
      const named = weights.map(([name]) => ({ name }));
      return neededWeights(named, new Map(), head).map(({ name }) => name);
    };
    const both = ['sparse_linear.pt', 'colbert_linear.pt'];
    expect(read(both)).toEqual(['pytorch_model.bin', ...both]);
    expect(read(both, 'sparseEncoder')).toEqual(['pytorch_model.bin', 'sparse_linear.pt']);
    expect(read(both, 'fillMask')).toEqual(['pytorch_model.bin']);
    expect(read(['colbert_linear.pt'])).toEqual(['pytorch_model.bin']);
  });

  test('the weights of queries are read where a router names them', () => {
    const names = layouts['opensearch-neural-sparse-encoding-doc-v3-distill'] ?? [];
    const weights = partsOf(names).weights.map(([name]) => ({ name }));
    const query = 'query_0_SparseStaticEmbedding';
    const types = { [query]: 'x.SparseStaticEmbedding', '': 'x.MLMTransformer' };
    const files = new Map([
      ['modules.json', encode([{ path: '', type: 'x.Router' }])],
      ['router_config.json', encode({ types })],
    ]);
    const needed = neededWeights(weights, files);
    expect(needed.map(({ name }) => name)).toEqual([
      'model.safetensors',
      `${query}/model.safetensors`,
    ]);
    expect(neededWeights(weights, new Map()).map(({ name }) => name)).toEqual([
      'model.safetensors',
    ]);
  });

  test('read are the shards that the index names', () => {
    const names = layouts['Mistral-7B-Instruct-v0.3'] ?? [];
    const given = partsOf([...names, 'stray.safetensors']);
    const weights = given.weights.map(([name]) => ({ name }));
    const map = Object.fromEntries(safetensors(3).map((name, i) => [`layer.${i}`, name]));
    const files = new Map([['model.safetensors.index.json', encode({ weight_map: map })]]);
    const needed = neededWeights(weights, files);
    expect(needed.map(({ name }) => name)).toEqual(safetensors(3));
    const [warning, ...others] = unreadWarning(given.unread, weights, needed);
    expect(warning?.message).toBe('These files of the directory are not read: stray.safetensors.');
    expect(others).toEqual([]);
  });

  test('files that nobody knows are named, and folders once', () => {
    const { unread } = partsOf([
      ...[...wordPiece, 'model.safetensors', 'model_fp16.safetensors', 'notes.bin'],
      ...['more/a.txt', 'more/b/c.txt', '5_Own/weights.bin'],
    ]);
    expect(unread).toEqual(['model_fp16.safetensors', 'notes.bin', 'more/', '5_Own/weights.bin']);
    const many = Array.from({ length: 30 }, (_, i) => `file${i}.dat`);
    const [warning] = unreadWarning(many, [], []);
    expect(warning?.message).toMatch(/file19\.dat and 10 more\.$/);
  });
});

describe('a directory without weights that are read', () => {
  test.each([
    [['encoder.onnx', 'decoder.onnx'], 'Unsupported', /ONNX.*take the safetensors/],
    [['deep/onnx/model.onnx'], 'Unsupported', /ONNX.*name one/],
    [['openvino_model.xml'], 'Unsupported', /OpenVINO/],
    [['tf_model.h5'], 'Unsupported', /TensorFlow/],
    [['flax_model.msgpack'], 'Unsupported', /Flax/],
    [['rust_model.ot'], 'Unsupported', /rust-bert/],
    [['consolidated.safetensors'], 'Unsupported', /authors’ code/],
    [['consolidated.00.pth'], 'Unsupported', /authors’ code/],
    [['model-q4.gguf'], 'NotFound', /model-q4\.gguf\. Name this file/],
    [[], 'NotFound', /no model\.safetensors/],
  ])('%j', (names, code, message) => {
    const { missing } = partsOf([...wordPiece, ...names]);
    expect(missing).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('of an adapter names the model that it is for', () => {
    const adapter = encode({ base_model_name_or_path: 'owner/base', peft_type: 'LORA' });
    const { weights } = partsOf(['adapter_config.json', 'adapter_model.safetensors']);
    expect(weights).toEqual([]);
    expect(() => neededWeights([], new Map([['adapter_config.json', adapter]]))).toThrow(
      /adapter \(LoRA\) of owner\/base.*open\(model, \{ adapter \}\)/,
    );
  });
});

describe('an index', () => {
  const name = 'model.safetensors.index.json';
  const needed = (index: Uint8Array, names: readonly string[]) =>
    neededWeights(
      names.map((one) => ({ name: one })),
      new Map([[name, index]]),
    ).map((file) => file.name);

  test('says which file is missing where none is there', () => {
    const index = encode({ weight_map: { a: 'model-00001-of-00002.safetensors' } });
    expect(() => needed(index, [])).toThrow(/file model-00001-of-00002\.safetensors is missing/);
  });

  test.each([
    ['no JSON', new TextEncoder().encode('{')],
    ['no map', encode({ weight_map: [] })],
    [
      'a path',
      encode({ weight_map: { a: '../model.safetensors', b: '..', c: 'x/y.safetensors' } }),
    ],
  ])('with %s chooses nothing, and the core says what is wrong', (_, index) => {
    expect(needed(index, ['a.safetensors', 'b.safetensors'])).toHaveLength(2);
    expect(() => needed(index, [])).toThrow(/names no weight file/);
  });
});

describe('a directory with ONNX', () => {
  const namesOf = (...paths: readonly string[]) =>
    partsOf([...wordPiece, ...paths]).weights.map(([name]) => name);

  test('has the most exact model as its weights, with the files of its tensors', () => {
    const paths = ['model_q4.onnx', 'model.onnx_data_1', 'model_q4.onnx_data', 'model.onnx_data'];
    const more = [...paths, 'model.onnx', 'model_fp16.onnx'].map((name) => `onnx/${name}`);
    expect(namesOf(...more)).toEqual(['model.onnx', 'model.onnx_data', 'model.onnx_data_1']);
    const { unread } = partsOf([...wordPiece, ...more]);
    expect(unread).toEqual([]);
  });

  test.each<[readonly string[], readonly string[]]>([
    [['onnx/model_quantized.onnx', 'onnx/model_q4.onnx'], ['model_quantized.onnx']],
    [
      ['model.onnx', 'model.onnx.data'],
      ['model.onnx', 'model.onnx.data'],
    ],
    [['model.onnx', 'onnx/model_fp16.onnx'], ['model_fp16.onnx']],
    [
      ['phi3-int4.onnx', 'phi3-int4.onnx.data'],
      ['phi3-int4.onnx', 'phi3-int4.onnx.data'],
    ],
    [
      ['onnx/model.onnx', 'onnx/weights', 'onnx/layer.0', 'other'],
      ['model.onnx', 'layer.0', 'weights'],
    ],
    [['model.onnx', 'LICENSE', 'vocab.json', 'a.png', 'tokenizer.bin'], ['model.onnx']],
    [['model.safetensors', 'onnx/model.onnx'], ['model.safetensors']],
    [['pytorch_model.bin', 'onnx/model.onnx'], ['pytorch_model.bin']],
  ])('%j', (paths, expected) => {
    expect(namesOf(...paths)).toEqual(expected);
  });
});
