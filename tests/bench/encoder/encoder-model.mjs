// A BERT sentence encoder of random weights: as a file of ours, and as ONNX models in f32 and in dynamically
// quantized int8, as exporters make them.
import { attribute, Graph, int64Type } from '../support/onnx-graph.mjs';
import { randomNumbers } from '../support/wasm-module.mjs';

const maxPositions = 512;
const specialTokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

/** Word i of the vocabulary, a single token. */
export function wordOf(id) {
  let word = '';
  for (let i = id, n = 0; n < 4; n++, i = Math.floor(i / 26)) {
    word += String.fromCharCode(97 + (i % 26));
  }
  return word;
}

/** Names and shapes in the order of files, [outputs, inputs]. */
function layout({ layers, width, inner, vocabulary, labels = 0, tags = 0 }) {
  const norm = (name) => [
    [`${name}.weight`, [width]],
    [`${name}.bias`, [width]],
  ];
  const linear = (name, outputs, inputs) => [
    [`${name}.weight`, [outputs, inputs]],
    [`${name}.bias`, [outputs]],
  ];
  const layer = (i) => {
    const name = (part) => `encoder.layer.${i}.${part}`;
    return [
      ...['query', 'key', 'value'].flatMap((p) =>
        linear(name(`attention.self.${p}`), width, width),
      ),
      ...linear(name('attention.output.dense'), width, width),
      ...norm(name('attention.output.LayerNorm')),
      ...linear(name('intermediate.dense'), inner, width),
      ...linear(name('output.dense'), width, inner),
      ...norm(name('output.LayerNorm')),
    ];
  };
  return [
    ['embeddings.word_embeddings.weight', [vocabulary, width]],
    ['embeddings.position_embeddings.weight', [maxPositions, width]],
    ['embeddings.token_type_embeddings.weight', [2, width]],
    ...norm('embeddings.LayerNorm'),
    ...Array.from({ length: layers }, (_, i) => layer(i)).flat(),
    ...(labels > 0
      ? [...linear('pooler.dense', width, width), ...linear('classifier', labels, width)]
      : []),
    ...(tags > 0 ? linear('classifier', tags, width) : []),
  ];
}

/** Weights of the size that training gives them, by name. */
export function randomEncoder(shape) {
  const random = randomNumbers();
  const tensors = new Map();
  for (const [name, extents] of layout(shape)) {
    const size = extents.length === 2 ? 0.08 : 0.05;
    const middle = name.endsWith('LayerNorm.weight') ? 1 : 0;
    const length = extents.reduce((product, extent) => product * extent, 1);
    const numbers = Float32Array.from({ length }, () => middle + size * random());
    tensors.set(name, { shape: extents, numbers });
  }
  return { ...shape, tensors };
}

const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
const whole = (...numbers) => bytesOf(Uint32Array.from(numbers));

const madeUp = (size) => Array.from({ length: size }, (_, id) => specialTokens[id] ?? wordOf(id));

/** The older container (core/formats/embd), which has room for f32 alone; made-up words unless there are others. */
export function embdFile({ tensors, vocabulary }, words = madeUp(vocabulary)) {
  const text = (value) => [whole(Buffer.byteLength(value)), Buffer.from(value)];
  const parts = [Buffer.from('EMBD'), whole(1, tensors.size)];
  for (const [name, { shape, numbers }] of tensors) {
    parts.push(...text(name), whole(shape.length, ...shape), bytesOf(numbers));
  }
  parts.push(whole(vocabulary), ...words.flatMap(text));
  return Buffer.concat(parts);
}

const classOf = (labels, tags) => {
  const head = tags > 0 ? 'ForTokenClassification' : 'ForSequenceClassification';
  return labels + tags > 0 ? `Bert${head}` : 'BertModel';
};

/** A Hugging Face directory of the model: a reranker if it has labels, a token classifier if it has tags. */
export function encoderDirectory({
  tensors,
  vocabulary,
  layers,
  width,
  inner,
  heads,
  labels = 0,
  tags = 0,
}) {
  const config = {
    model_type: 'bert',
    architectures: [classOf(labels, tags)],
    id2label: Object.fromEntries(
      Array.from({ length: labels + tags }, (_, i) => [i, `LABEL_${i}`]),
    ),
    vocab_size: vocabulary,
    hidden_size: width,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    intermediate_size: inner,
    max_position_embeddings: maxPositions,
  };
  return {
    'config.json': new Blob([JSON.stringify(config)]),
    'vocab.txt': new Blob([madeUp(vocabulary).join('\n')]),
    'model.safetensors': new Blob([safetensorsFile(tensors)]),
  };
}

function safetensorsFile(tensors) {
  let at = 0;
  const header = Object.fromEntries(
    Array.from(tensors, ([name, { shape, numbers }]) => {
      const begin = at;
      at += numbers.byteLength;
      return [name, { dtype: 'F32', shape, data_offsets: [begin, at] }];
    }),
  );
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...Array.from(tensors.values(), (t) => bytesOf(t.numbers))]);
}

/** Rows as columns: ONNX has [inputs, outputs]. */
function transposed({ shape: [outputs, inputs], numbers }) {
  const turned = new numbers.constructor(numbers.length);
  for (let row = 0; row < outputs; row++) {
    for (let column = 0; column < inputs; column++) {
      turned[column * outputs + row] = numbers[row * inputs + column];
    }
  }
  return turned;
}

export class EncoderGraph {
  constructor(model, int8) {
    this.model = model;
    this.int8 = int8;
    this.graph = new Graph();
  }
  whole(...numbers) {
    return this.graph.constant([numbers.length], BigInt64Array.from(numbers, BigInt));
  }
  real(value) {
    return this.graph.constant([], Float32Array.of(value));
  }
  constant(name) {
    const { shape, numbers } = this.model.tensors.get(name);
    return this.graph.constant(shape, numbers);
  }
  /** What rows become on their way into int8 layers: codes, scale, zero point. */
  quantized(x) {
    return this.int8 ? this.graph.addMany(3, 'DynamicQuantizeLinear', [x]) : [x];
  }
  linear([x, scale, zeroPoint], name) {
    const { graph } = this;
    const weight = this.model.tensors.get(`${name}.weight`);
    const bias = this.constant(`${name}.bias`);
    const shape = weight.shape.toReversed();
    if (!this.int8) {
      const product = graph.add('MatMul', [x, graph.constant(shape, transposed(weight))]);
      return graph.add('Add', [product, bias]);
    }
    const step = weight.numbers.reduce((most, w) => Math.max(most, Math.abs(w)), 0) / 127;
    const codes = Int8Array.from(weight.numbers, (w) => Math.round(w / step));
    const matrix = graph.constant(shape, transposed({ ...weight, numbers: codes }));
    const none = graph.constant([], Int8Array.of(0));
    const sums = graph.add('MatMulInteger', [x, matrix, zeroPoint, none]);
    const unit = graph.add('Mul', [scale, this.real(step)]);
    const product = graph.add('Mul', [graph.add('Cast', [sums], attribute.whole('to', 1)), unit]);
    return graph.add('Add', [product, bias]);
  }
  norm(x, name) {
    const inputs = [x, this.constant(`${name}.weight`), this.constant(`${name}.bias`)];
    return this.graph.add('LayerNormalization', inputs, attribute.real('epsilon', 1e-12));
  }
  heads(x, order) {
    const { width, heads } = this.model;
    const split = this.graph.add('Reshape', [x, this.whole(0, 0, heads, width / heads)]);
    return this.graph.add('Transpose', [split], attribute.wholes('perm', order));
  }
  gelu(x) {
    const { graph } = this;
    const erf = graph.add('Erf', [graph.add('Div', [x, this.real(Math.SQRT2)])]);
    const sum = graph.add('Add', [erf, this.real(1)]);
    return graph.add('Mul', [graph.add('Mul', [x, sum]), this.real(0.5)]);
  }
  /** For graphs that take a mask. */
  masked(scores) {
    return scores;
  }
  attention(x, name) {
    const { graph, model } = this;
    const rows = this.quantized(x);
    const [query, key, value] = ['query', 'key', 'value'].map((part) =>
      this.linear(rows, name(`attention.self.${part}`)),
    );
    const products = graph.add('MatMul', [
      this.heads(query, [0, 2, 1, 3]),
      this.heads(key, [0, 2, 3, 1]),
    ]);
    const scores = graph.add('Div', [products, this.real(Math.sqrt(model.width / model.heads))]);
    const shares = graph.add('Softmax', [this.masked(scores)], attribute.whole('axis', 3));
    const context = graph.add('MatMul', [shares, this.heads(value, [0, 2, 1, 3])]);
    const turned = graph.add('Transpose', [context], attribute.wholes('perm', [0, 2, 1, 3]));
    const joined = graph.add('Reshape', [turned, this.whole(0, 0, model.width)]);
    return this.linear(this.quantized(joined), name('attention.output.dense'));
  }
  layer(x, i) {
    const name = (part) => `encoder.layer.${i}.${part}`;
    const attended = this.graph.add('Add', [this.attention(x, name), x]);
    const middle = this.norm(attended, name('attention.output.LayerNorm'));
    const wide = this.gelu(this.linear(this.quantized(middle), name('intermediate.dense')));
    const narrow = this.linear(this.quantized(wide), name('output.dense'));
    return this.norm(this.graph.add('Add', [narrow, middle]), name('output.LayerNorm'));
  }
  rows(table, ids) {
    return this.graph.add('Gather', [this.constant(`embeddings.${table}_embeddings.weight`), ids]);
  }
  /** The last states of inputs `ids` [texts, tokens] and `positions` [1, tokens]; `types` are rows. */
  states(types) {
    const { graph, model } = this;
    const words = graph.add('Add', [this.rows('word', 'ids'), types]);
    const sum = graph.add('Add', [words, this.rows('position', 'positions')]);
    let x = this.norm(sum, 'embeddings.LayerNorm');
    for (let i = 0; i < model.layers; i++) {
      x = this.layer(x, i);
    }
    return x;
  }
  /** The mean of the last states. */
  file() {
    const { graph, model } = this;
    const x = this.states(this.rows('token_type', this.whole(0)));
    const name = graph.add(
      'ReduceMean',
      [x],
      attribute.wholes('axes', [1]),
      attribute.whole('keepdims', 0),
    );
    return graph.model('encoder', inputs, { name, shape: ['texts', model.width] });
  }
  /** The logit of each pair, with the input `types` [texts, tokens]. */
  rerankerFile() {
    const { graph } = this;
    const x = this.states(this.rows('token_type', 'types'));
    const none = graph.constant([], BigInt64Array.of(0n));
    const first = graph.add('Gather', [x, none], attribute.whole('axis', 1));
    const dense = graph.add('Tanh', [this.linear(this.quantized(first), 'pooler.dense')]);
    const name = this.linear(this.quantized(dense), 'classifier');
    const types = { name: 'types', shape: ['texts', 'tokens'], type: int64Type };
    return graph.model('reranker', [...inputs, types], { name, shape: ['texts', 1] });
  }
  /** The logits of each token. */
  taggerFile() {
    const { graph, model } = this;
    const x = this.states(this.rows('token_type', this.whole(0)));
    const name = this.linear(this.quantized(x), 'classifier');
    return graph.model('tagger', inputs, { name, shape: ['texts', 'tokens', model.tags] });
  }
}

const inputs = [
  { name: 'ids', shape: ['texts', 'tokens'], type: int64Type },
  { name: 'positions', shape: [1, 'tokens'], type: int64Type },
];

export function onnxEncoder(model, int8) {
  return new EncoderGraph(model, int8).file();
}

export function onnxReranker(model, int8) {
  return new EncoderGraph(model, int8).rerankerFile();
}

export function onnxTagger(model, int8) {
  return new EncoderGraph(model, int8).taggerFile();
}
