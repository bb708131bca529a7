// The ONNX file of a BERT of random weights with the inputs and the mask that exporters give it, its matrices and tables
// as codes of 8 bits, as onnxruntime's dynamic quantizer writes them.
import { EncoderGraph } from '../encoder/encoder-model.mjs';
import { attribute, int64Type } from '../support/onnx-graph.mjs';

const floatType = 1;
const leastFloat = -3.4028234663852886e38;

class ExportedEncoder extends EncoderGraph {
  masked(scores) {
    return this.graph.add('Add', [scores, this.mask]);
  }
  /** What is added to scores: the least float where the mask is 0. */
  maskOf(input) {
    const { graph } = this;
    const wide = graph.add('Unsqueeze', [input, this.whole(1, 2)]);
    const ones = graph.add('Cast', [wide], attribute.whole('to', floatType));
    const left = graph.add('Sub', [this.real(1), ones]);
    return graph.add('Mul', [left, this.real(leastFloat)]);
  }
  /** The numbers of the tokens, [1, tokens]. */
  positions(ids) {
    const { graph } = this;
    const all = this.whole(...Array.from({ length: 512 }, (_, i) => i));
    const shape = graph.add('Shape', [ids]);
    const end = graph.add('Unsqueeze', [
      graph.add('Gather', [shape, this.index(1)], attribute.whole('axis', 0)),
      this.whole(0),
    ]);
    const rows = graph.add('Unsqueeze', [all, this.whole(0)]);
    return graph.add('Slice', [rows, this.whole(0), end, this.whole(1), this.whole(1)]);
  }
  index(value) {
    return this.graph.constant([], BigInt64Array.of(BigInt(value)));
  }
  rows(table, ids) {
    const { graph } = this;
    const { shape, numbers } = this.model.tensors.get(`embeddings.${table}_embeddings.weight`);
    if (!this.int8) {
      return graph.add('Gather', [graph.constant(shape, numbers), ids]);
    }
    const step = numbers.reduce((most, w) => Math.max(most, Math.abs(w)), 0) / 127;
    const codes = Int8Array.from(numbers, (w) => Math.round(w / step));
    const taken = graph.add('Gather', [graph.constant(shape, codes), ids]);
    const zero = graph.constant([], Int8Array.of(0));
    return graph.add('DequantizeLinear', [taken, this.real(step), zero]);
  }
  file() {
    const { graph, model } = this;
    this.mask = this.maskOf('attention_mask');
    const positions = this.rows('position', this.positions('input_ids'));
    const words = graph.add('Add', [
      this.rows('word', 'input_ids'),
      this.rows('token_type', 'token_type_ids'),
    ]);
    let x = this.norm(graph.add('Add', [words, positions]), 'embeddings.LayerNorm');
    for (let i = 0; i < model.layers; i++) {
      x = this.layer(x, i);
    }
    const inputs = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({
      name,
      shape: ['batch_size', 'sequence_length'],
      type: int64Type,
    }));
    const shape = ['batch_size', 'sequence_length', model.width];
    return graph.model('main_graph', inputs, { name: x, shape });
  }
}

export function exportedEncoder(model, int8) {
  return new ExportedEncoder(model, int8).file();
}
