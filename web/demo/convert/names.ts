// What files of a format are called.

const kExtensions: Readonly<Record<string, string>> = {
  alt: '.alt',
  amb: '.amb',
  embd: '.weights',
  fasttext: '.bin',
  finalfusion: '.fifu',
  floret: '.floret',
  gguf: '.gguf',
  safetensors: '.safetensors',
  text: '.txt',
  textdims: '.vec',
  tinyruntime: '.bin',
  word2vec: '.w2v',
};

/** `models/tiny.gguf` as `amb` in `int4_block` → `tiny.int4_block.amb`. */
export function targetName(name: string, to: string, storage: string): string {
  const base = (name.split('/').pop() ?? name).replace(/(?<=.)\.[^.]+$/, '');
  const type = storage === '' ? '' : `.${storage}`;
  return `${base}${type}${kExtensions[to] ?? `.${to}`}`;
}
