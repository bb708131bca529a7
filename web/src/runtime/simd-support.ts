// Which of the two builds this engine can run, found out by validating a few bytes.

/** What every module begins with: magic and version. Alone they are an empty module. */
export const wasmHead: readonly number[] = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** One function that leaves a v128: `i32.const 0, i8x16.splat`, then `body`. */
function moduleWith(body: readonly number[]): Uint8Array<ArrayBuffer> {
  const code = [0x00, 0x41, 0x00, 0xfd, 0x0f, ...body, 0x0b];
  return new Uint8Array([
    ...wasmHead,
    ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b], // type 0: () -> v128
    ...[0x03, 0x02, 0x01, 0x00], // one function of type 0
    ...[0x0a, code.length + 2, 0x01, code.length, ...code],
  ]);
}

const splat = [0x41, 0x00, 0xfd, 0x0f];

/** SIMD-128, with i8x16.popcnt: some early engines had a draft without it. */
export function hasSimd(): boolean {
  return WebAssembly.validate(moduleWith([0xfd, 0x62]));
}

/** Relaxed SIMD, by f32x4.relaxed_madd. */
export function hasRelaxedSimd(): boolean {
  return WebAssembly.validate(moduleWith([...splat, ...splat, 0xfd, 0x85, 0x02]));
}
