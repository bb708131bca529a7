// Writes small WebAssembly modules of one function each, byte by byte: also with instructions that no tool knows yet.

export const types = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b };

/** An unsigned number, seven bits a byte. */
export const unsigned = (n) =>
  n < 0x80 ? [n] : [0x80 | (n & 0x7f), ...unsigned(Math.floor(n / 0x80))];

const signed = (n) =>
  n >= -0x40 && n < 0x40 ? [n & 0x7f] : [0x80 | (n & 0x7f), ...signed(n >> 7)];

export const get = (local) => [0x20, local];
export const set = (local) => [0x21, local];
export const tee = (local) => [0x22, local];
export const i32 = (n) => [0x41, ...signed(n)];
export const i64 = (n) => [0x42, ...signed(n)];
/** An instruction of SIMD, or of the group that begins with 0xfc. */
export const simd = (opcode) => [0xfd, ...unsigned(opcode)];
export const misc = (opcode) => [0xfc, ...unsigned(opcode)];
/** Without a stated alignment, so that every address is as good. */
export const loadSimd = (opcode, offset) => [...simd(opcode), 0, ...unsigned(offset)];

/** Runs the body until the condition, which leaves an i32, is 0. */
export const loop = (body, condition) => [0x03, 0x40, ...body, ...condition, 0x0d, 0x00, 0x0b];

const list = (items) => [...unsigned(items.length), ...items.flat()];
const section = (id, bytes) => [id, ...unsigned(bytes.length), ...bytes];
const name = (text) => list([...new TextEncoder().encode(text)]);

/**
 * A module that exports the function `f` and, with `memory`, the memory `m`. Types are names; `locals` come after the
 * parameters. `memory` is { pages, is64 }.
 */
export function moduleOf({ params = [], results = [], locals = [], code, memory }) {
  const typesOf = (names) => list(names.map((one) => types[one]));
  const body = [...list(locals.map((one) => [1, types[one]])), ...code, 0x0b];
  const limits = memory && [[memory.is64 ? 4 : 0, ...unsigned(memory.pages)]];
  const exported = [[...name('f'), 0, 0], ...(memory ? [[...name('m'), 2, 0]] : [])];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([[0x60, ...typesOf(params), ...typesOf(results)]])),
    ...section(3, list([0])),
    ...(memory ? section(5, list(limits)) : []),
    ...section(7, list(exported)),
    ...section(10, list([[...unsigned(body.length), ...body]])),
  ]);
}
