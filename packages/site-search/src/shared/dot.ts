/** The product of two rows. It is made in four sums, which the processor makes side by side. */
export function dot(
  a: Float32Array,
  atA: number,
  b: Float32Array,
  atB: number,
  dim: number,
): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let j = 0;
  for (; j + 3 < dim; j += 4) {
    s0 += (a[atA + j] as number) * (b[atB + j] as number);
    s1 += (a[atA + j + 1] as number) * (b[atB + j + 1] as number);
    s2 += (a[atA + j + 2] as number) * (b[atB + j + 2] as number);
    s3 += (a[atA + j + 3] as number) * (b[atB + j + 3] as number);
  }
  for (; j < dim; j++) {
    s0 += (a[atA + j] as number) * (b[atB + j] as number);
  }
  return s0 + s1 + s2 + s3;
}
