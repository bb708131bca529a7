// An encoder of tests/fixtures/onnx/encoders as a directory with ONNX, and as one with safetensors. The weights are by chance.
import { readFileSync } from 'node:fs';

const fixtures = new URL('../../../fixtures/', import.meta.url);
type Files = Map<string, Uint8Array<ArrayBuffer>>;
type Shape = readonly number[];

const read = (path: string) => new Uint8Array(readFileSync(new URL(path, fixtures)));
const json = (path: string) => JSON.parse(readFileSync(new URL(path, fixtures), 'utf8'));
const encode = (text: string) => new TextEncoder().encode(text);

function numbers(count: number, seed: number): Float32Array<ArrayBuffer> {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state / 2_147_483_648 - 0.5) / 4;
  });
}

/** The rows of the other axis. */
function transposed(from: Float32Array, [rows = 1, cols = 1]: Shape): Float32Array<ArrayBuffer> {
  return Float32Array.from(from, (_, i) => from[(i % rows) * cols + Math.floor(i / rows)] ?? 0);
}

function safetensorsOf(tensors: readonly (readonly [string, Shape, Float32Array])[]) {
  let end = 0;
  const header = tensors.map(([name, shape, { byteLength }]) => {
    const data_offsets = [end, end + byteLength];
    end += byteLength;
    return [name, { dtype: 'F32', shape, data_offsets }];
  });
  const text = encode(JSON.stringify(Object.fromEntries(header)));
  const size = new Uint8Array(new BigUint64Array([BigInt(text.length)]).buffer);
  return Buffer.concat([
    size,
    text,
    ...tensors.map(([, , { buffer }]) => new Uint8Array(buffer as ArrayBuffer)),
  ]);
}

/** By the name of a graph, such as `bert_opset17_sdpa`. */
export function onnxEncoder(name: string): { readonly onnx: Files; readonly safetensors: Files } {
  const graph = json(`onnx/encoders/${name}.json`);
  const { config, tensors } = json(`encoder_architectures/${graph.case}.json`);
  const shapes = Object.entries({ ...tensors, ...graph.more }) as [string, Shape][];
  const made = shapes.map(([tensor, shape], i) => {
    const count = shape.reduce((product, extent) => product * extent, 1);
    return [tensor, shape, numbers(count, i + 1)] as const;
  });
  const known = new Map(made.map(([tensor, shape, values]) => [tensor, { shape, values }]));
  const data = graph.weights.map((weight: { name: string; transposed: boolean }) => {
    const { shape, values } = known.get(weight.name) ?? { shape: [], values: new Float32Array() };
    const stored = weight.transposed ? transposed(values, shape) : values;
    return new Uint8Array(stored.buffer);
  });
  const words = Array.from({ length: config.vocab_size - 5 }, (_, i) => `w${i + 5}`);
  const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...words];
  const small: Files = new Map([
    ['config.json', encode(JSON.stringify({ ...config, ...graph.config }))],
    ['vocab.txt', encode(`${vocabulary.join('\n')}\n`)],
    ['tokenizer_config.json', encode('{"do_lower_case":true,"tokenizer_class":"BertTokenizer"}')],
  ]);
  return {
    onnx: new Map([
      ...small,
      ['onnx/model.onnx', read(`onnx/encoders/${name}.onnx`)],
      ['onnx/weights', new Uint8Array(Buffer.concat(data))],
    ]),
    safetensors: new Map([...small, ['model.safetensors', new Uint8Array(safetensorsOf(made))]]),
  };
}
