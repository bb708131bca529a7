// A small residual network as tinyRuntime's float form (core/formats/tinyruntime/README.md): a stem, one
// block, and the head, for images of one channel or more.

/** Kernel, stride, padding, channels in and out, bias. */
const convsFor = (channels: number) =>
  [
    [1, 1, 0, channels, 2, 1],
    [3, 1, 1, 2, 2, 1],
    [3, 1, 1, 2, 2, 0],
  ] as const;
/** In, out, bias. */
const linears = [
  [4, 3, 0],
  [3, 3, 1],
] as const;
const norms = [4, 3];

export function networkFile(inputChannels = 1): Uint8Array<ArrayBuffer> {
  const convs = convsFor(inputChannels);
  const words: number[] = [3, convs.length, linears.length, norms.length];
  let parameters = 0;
  for (const [kernel, stride, padding, channels, out, bias] of convs) {
    words.push(kernel, stride, padding, channels, out, parameters, bias);
    parameters += out * channels * kernel * kernel + bias * out;
  }
  for (const [inputs, out, bias] of linears) {
    words.push(inputs, out, parameters, bias);
    parameters += inputs * out + bias * out;
  }
  for (const n of norms) {
    words.push(n, parameters);
    parameters += 4 * n;
  }
  const head = Int32Array.from(words);
  const numbers = Float32Array.from({ length: parameters }, (_, i) => ((i % 5) + 2) / 8);
  const file = new Uint8Array(head.byteLength + numbers.byteLength);
  file.set(new Uint8Array(head.buffer));
  file.set(new Uint8Array(numbers.buffer), head.byteLength);
  return file;
}

/** The graph of the network. */
export const networkPlan = {
  input: [1, 4, 4],
  nodes: [
    ['conv', 0, 'x', 'a'],
    ['relu', 'a', 'a'],
    ['maxpool', 3, 2, 1, 'a', 'a'],
    ['conv', 1, 'a', 'b'],
    ['conv', 2, 'b', 'b'],
    ['add', 'a', 'b', 'b'],
    ['concat_pool', 'b', 'b'],
    ['batchnorm', 0, 'b', 'b'],
    ['linear', 0, 'b', 'b'],
    ['batchnorm', 1, 'b', 'b'],
    ['linear', 1, 'b', 'b'],
  ],
  image: { mean: [0], std: [1] },
};
