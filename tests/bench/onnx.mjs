// The network of resnet18.mjs as an ONNX model, for onnxruntime-web: as few fields of its protobuf
// messages as say it (onnx.proto3 of ONNX 1.8, operators of version 13).
import { blocksOf } from './resnet18.mjs';

const kText = 2; // wire types: a length and its bytes, a whole number
const kNumber = 0;

function varint(number) {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) | 128);
  return Buffer.from([...bytes, number]);
}

const number = (field, value) => Buffer.concat([varint(field * 8 + kNumber), varint(value)]);
function message(field, ...parts) {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(field * 8 + kText), varint(body.length), body]);
}

const kFloat = 1; // TensorProto.DataType
const attribute = {
  whole: (name, value) => message(5, message(1, name), number(3, value), number(20, 2)),
  wholes: (name, values) =>
    message(5, message(1, name), ...values.map((value) => number(8, value)), number(20, 7)),
};

function tensor(name, shape, numbers) {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const dims = shape.map((extent) => number(1, extent));
  return message(5, ...dims, number(2, kFloat), message(8, name), message(9, bytes));
}

function valueInfo(field, name, shape) {
  const dims = shape.map((extent) => message(1, number(1, extent)));
  return message(
    field,
    message(1, name),
    message(2, message(1, number(1, kFloat), message(2, ...dims))),
  );
}

class Graph {
  #nodes = [];
  #tensors = [];

  add(op, inputs, ...attributes) {
    const result = `v${this.#nodes.length}`;
    const names = inputs.map((name) => message(1, name));
    this.#nodes.push(message(1, ...names, message(2, result), message(4, op), ...attributes));
    return result;
  }
  constant(shape, numbers) {
    const name = `w${this.#tensors.length}`;
    this.#tensors.push(tensor(name, shape, numbers));
    return name;
  }
  model(input, output) {
    const graph = message(
      7,
      ...this.#nodes,
      message(2, 'resnet18'),
      ...this.#tensors,
      valueInfo(11, 'x', input),
      valueInfo(12, output.name, output.shape),
    );
    return Buffer.concat([number(1, 7), graph, message(8, number(2, 13))]);
  }
}

export function onnxFile(network) {
  const graph = new Graph();
  const conv = (from, i) => {
    const { k, stride, pad, ic, oc, weight, bias } = network.convs[i];
    const inputs = [from, graph.constant([oc, ic, k, k], weight), graph.constant([oc], bias)];
    const form = [
      attribute.wholes('strides', [stride, stride]),
      attribute.wholes('pads', Array(4).fill(pad)),
    ];
    return graph.add('Conv', inputs, attribute.wholes('kernel_shape', [k, k]), ...form);
  };
  const relu = (from) => graph.add('Relu', [from]);
  const norm = (from, { n, gamma, beta, mean, variance }) =>
    graph.add('BatchNormalization', [
      from,
      ...[gamma, beta, mean, variance].map((v) => graph.constant([n], v)),
    ]);
  const linear = (from, { ic, oc, weight, bias }) =>
    graph.add(
      'Gemm',
      [from, graph.constant([oc, ic], weight), graph.constant([oc], bias)],
      attribute.whole('transB', 1),
    );

  const pool = { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] };
  const poolForm = Object.entries(pool).map(([name, values]) => attribute.wholes(name, values));
  let x = graph.add('MaxPool', [relu(conv('x', 0))], ...poolForm);
  for (const { convs, shortcut } of blocksOf(network)) {
    const main = conv(relu(conv(x, convs[0])), convs[1]);
    x = relu(graph.add('Add', [main, shortcut === undefined ? x : conv(x, shortcut)]));
  }
  const pools = ['GlobalMaxPool', 'GlobalAveragePool'].map((op) => graph.add(op, [x]));
  const flat = graph.add('Flatten', [graph.add('Concat', pools, attribute.whole('axis', 1))]);
  const hidden = relu(linear(norm(flat, network.norms[0]), network.linears[0]));
  const name = linear(norm(hidden, network.norms[1]), network.linears[1]);
  return graph.model([1, 3, 224, 224], { name, shape: [1, network.linears[1].oc] });
}
