// The network of resnet18.mjs as an ONNX model.
import { attribute, Graph } from '../support/onnx-graph.mjs';
import { blocksOf } from './resnet18.mjs';

export function onnxResnet(network) {
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
  return graph.model('resnet18', [{ name: 'x', shape: [1, 3, 224, 224] }], {
    name,
    shape: [1, network.linears[1].oc],
  });
}
