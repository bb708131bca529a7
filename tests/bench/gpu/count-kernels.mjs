// Bytes that each kernel moves and operations that it does for one token of a llama, by its shape: so that waste is visible
// without a card. A card that reads B bytes a second gives at most B / bytes tokens a second.

/** Bytes of 256 weights. */
const bytesOf256 = { f32: 1024, f16: 512, q8_0: 272, q4_0: 144, q4_k: 144, q6_k: 210 };

/**
 * @param {{width: number, inner: number, layers: number, vocabulary: number, heads: number, kvHeads: number}} shape
 * @param {keyof typeof bytesOf256} type
 * @param {number} context tokens before this one
 */
export function countKernels({ width, inner, layers, vocabulary, heads, kvHeads }, type, context) {
  const head = width / heads;
  const kv = kvHeads * head;
  const weights = layers * (2 * width * width + 2 * width * kv + 3 * width * inner);
  const output = width * vocabulary;
  const of = (numbers) => (numbers * bytesOf256[type]) / 256;
  const floats = (numbers) => 4 * numbers;
  const row = (kernel, bytes, least, operations) => ({ kernel, bytes, least, operations });
  // A workgroup of `multiply` computes four results, and each reads the whole input, from caches but for the first time.
  return [
    row('multiply, layers', of(weights), of(weights), 2 * weights),
    row('multiply, output', of(output) + floats(vocabulary), of(output), 2 * output),
    // Keys and values are f32; f16 would halve them.
    row(
      'attend',
      floats(2 * layers * kv * context) + floats(2 * layers * width),
      2 * 2 * layers * kv * context,
      4 * layers * width * context,
    ),
    row('keep', floats(4 * layers * kv), floats(2 * layers * kv), 0),
    row('norm', floats(2 * (2 * layers + 1) * width), 0, 4 * (2 * layers + 1) * width),
    row('rotate', floats(2 * layers * (width + kv)), 0, 3 * layers * (width + kv)),
    row('gate', floats(3 * layers * inner), 0, 8 * layers * inner),
    row('add', floats(3 * 2 * layers * width), 0, 2 * layers * width),
    row('embed', of(width) + floats(width), of(width), width),
    // The core reads the whole row: its sampler and its forms need all logits.
    row('read back', floats(vocabulary), 8, 0),
  ];
}
