// Random weights, and the safetensors file with them.

export type Tensors = Map<
  string,
  { readonly shape: readonly number[]; readonly values: Float32Array }
>;

/** Numbers around 0, with a larger variance than BERT's initial weights. The same seed gives the same numbers. */
export function randomNumbers(seed: number): (count: number) => Float32Array {
  let state = seed >>> 0;
  return (count) =>
    Float32Array.from({ length: count }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state / 2 ** 32 - 0.5) * 0.8;
    });
}

/** The file: header size as u64, header as JSON, and the tensors without gaps. */
export function safetensors(tensors: Tensors): Buffer {
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  const parts: Buffer[] = [];
  let at = 0;
  for (const [name, { shape, values }] of tensors) {
    header[name] = { dtype: 'F32', shape, data_offsets: [at, at + values.byteLength] };
    parts.push(Buffer.from(values.buffer));
    at += values.byteLength;
  }
  const text = JSON.stringify(header);
  const padded = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8, ' '));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([size, padded, ...parts]);
}
