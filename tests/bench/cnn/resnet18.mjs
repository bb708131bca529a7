// ResNet-18 under tinyRuntime's head, of random weights: as tinyRuntime files, vanilla and SQ8
// (core/formats/tinyruntime/README.md). Its batch norms are taken to be folded into the convs.

/** Numbers between -1 and 1, the same ones every time. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const conv = (k, stride, ic, oc) => ({ k, stride, pad: k >> 1, ic, oc });

/** The convs in the order of files: stem, then block by block, the shortcut's last. */
function convForms() {
  const forms = [conv(7, 2, 3, 64)];
  let channels = 64;
  for (const [stage, width] of [64, 128, 256, 512].entries()) {
    for (const stride of [stage === 0 ? 1 : 2, 1]) {
      forms.push(conv(3, stride, channels, width), conv(3, 1, width, width));
      if (stride === 2) {
        forms.push(conv(1, 2, channels, width));
      }
      channels = width;
    }
  }
  return forms;
}

/** Blocks behind the stem: which convs, and whether the last of them is the shortcut's. */
export function blocksOf(network) {
  const blocks = [];
  for (let i = 1; i < network.convs.length; ) {
    const shortcut = network.convs[i + 2]?.k === 1;
    blocks.push({ convs: [i, i + 1], shortcut: shortcut ? i + 2 : undefined });
    i += shortcut ? 3 : 2;
  }
  return blocks;
}

/** Weights that keep the size of what flows through, so that no activation is absurd. */
export function resnet18(classes = 1000) {
  const next = randomNumbers(18);
  const fill = (n, size) => Float32Array.from({ length: n }, () => next() * size);
  const layer = (row, out) => ({
    weight: fill(row * out, Math.sqrt(3 / row)),
    bias: fill(out, 0.1),
  });
  const convs = convForms().map((form) => ({
    ...form,
    ...layer(form.ic * form.k * form.k, form.oc),
  }));
  const linear = (ic, oc) => ({ ic, oc, ...layer(ic, oc) });
  const norm = (n) => ({
    n,
    gamma: fill(n, 1),
    beta: fill(n, 0.1),
    mean: fill(n, 0.1),
    variance: fill(n, 0.5).map((v) => v + 1),
  });
  return {
    convs,
    linears: [linear(1024, 512), linear(512, classes)],
    norms: [norm(1024), norm(512)],
  };
}

/** Little-endian words one after another, and bytes. */
class Words {
  #parts = [];
  whole(...numbers) {
    this.#parts.push(new Uint8Array(Int32Array.from(numbers).buffer));
  }
  floats(...numbers) {
    this.#parts.push(new Uint8Array(Float32Array.from(numbers).buffer));
  }
  array(numbers) {
    this.#parts.push(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
  }
  file() {
    return Buffer.concat(this.#parts);
  }
}

const normNumbers = ({ gamma, beta, mean, variance }) => [gamma, beta, mean, variance];
const count = (layers) =>
  layers.reduce((sum, { weight, bias }) => sum + weight.length + bias.length, 0);

export function vanillaFile({ convs, linears, norms }) {
  const words = new Words();
  words.whole(linears[1].oc, convs.length, linears.length, norms.length);
  let offset = 0;
  const place = ({ weight, bias }) => {
    words.whole(offset, 1);
    offset += weight.length + bias.length;
  };
  for (const layer of convs) {
    words.whole(layer.k, layer.stride, layer.pad, layer.ic, layer.oc);
    place(layer);
  }
  for (const layer of linears) {
    words.whole(layer.ic, layer.oc);
    place(layer);
  }
  for (const { n } of norms) {
    words.whole(n, offset);
    offset += 4 * n;
  }
  for (const { weight, bias } of [...convs, ...linears]) {
    words.array(weight);
    words.array(bias);
  }
  for (const numbers of norms.flatMap(normNumbers)) {
    words.array(numbers);
  }
  return words.file();
}

// The exporter spreads what it sees over 0 … 127 (core/formats/tinyruntime/README.md#activation-ranges). Of
// this network that is 0 … 12 behind ReLUs and -10 … 10 elsewhere.
const rectified = { scale: 12 / 127, zeroPoint: 0 };
const signed = { scale: 20 / 127, zeroPoint: 64 };

/** The activations of the table and by layer what comes out of it, in the order of execution
 *  (core/formats/tinyruntime/README.md#activation-numbers). */
function activationsOf(network) {
  const flows = [{ in: signed, out: rectified }];
  const table = [signed, rectified, rectified];
  for (const { convs, shortcut } of blocksOf(network)) {
    flows[convs[0]] = { in: rectified, out: rectified };
    flows[convs[1]] = { in: rectified, out: signed };
    if (shortcut !== undefined) {
      flows[shortcut] = { in: rectified, out: signed };
    }
    table.push(rectified, signed, ...(shortcut === undefined ? [] : [signed]), rectified);
  }
  // Pools, concat, view, norm, dropout, linear 0, norm, dropout, linear 1.
  table.push(...Array(4).fill(rectified), signed, signed, rectified, signed, signed, signed);
  flows.push({ in: signed, out: rectified }, { in: signed, out: signed });
  return { flows, table };
}

/** All layers by one scale a tensor; the bias in units of the sums. */
export function staticFile(network) {
  const { convs, linears, norms } = network;
  const layers = [...convs, ...linears];
  const { flows, table } = activationsOf(network);
  const codes = layers.map(({ weight, bias }, i) => {
    const scale = weight.reduce((most, w) => Math.max(most, Math.abs(w)), 0) / 127.5;
    const code = (w) => Math.max(-128, Math.min(127, Math.round(w / scale)));
    const unit = scale * flows[i].in.scale;
    return {
      scale,
      weight: Int8Array.from(weight, code),
      bias: Int32Array.from(bias, (b) => Math.round(b / unit)),
    };
  });
  const words = new Words();
  const nBytes = count(layers) + 3 * layers.reduce((sum, { oc }) => sum + oc, 0);
  words.whole(linears[1].oc, convs.length, linears.length, norms.length, table.length, nBytes, 1);
  let offset = 0;
  for (const [i, layer] of layers.entries()) {
    if (layer.k) {
      words.whole(layer.k, layer.stride, layer.pad);
    }
    words.whole(layer.ic, layer.oc, offset);
    words.floats(codes[i].scale);
    words.whole(0);
    words.floats(flows[i].out.scale);
    words.whole(flows[i].out.zeroPoint, 1);
    offset += layer.weight.length + 4 * layer.bias.length;
  }
  let normOffset = 0;
  for (const { n } of norms) {
    words.whole(n, normOffset);
    normOffset += 4 * n;
  }
  for (const { scale, zeroPoint } of table) {
    words.floats(scale);
    words.whole(zeroPoint);
  }
  for (const { weight, bias } of codes) {
    words.array(weight);
    words.array(bias);
  }
  for (const numbers of norms.flatMap(normNumbers)) {
    words.array(numbers);
  }
  return words.file();
}
