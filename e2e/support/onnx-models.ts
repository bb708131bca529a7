// Models of tests/fixtures/onnx as the files that a user gives to a page.

import { readdirSync, readFileSync } from 'node:fs';

interface NamedFile {
  readonly name: string;
  readonly buffer: Buffer;
}

const fixtures = new URL('../../tests/fixtures/onnx/', import.meta.url);
const read = (path: string): Buffer => readFileSync(new URL(path, fixtures));

/** A network for pictures. The one for digits has one channel and five classes. */
export const networkFile = (name = 'digits-folded'): NamedFile => ({
  name: `${name}.onnx`,
  buffer: read(`cnn/${name}.onnx`),
});

/** Byte-level pieces without merges, for a model that knows this many. */
function tokenizerOf(count: number): Buffer {
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true };
  const pieces = Array.from({ length: count }, (_, id) => [
    String.fromCodePoint(id === 0 ? 0x120 : 96 + id),
    id,
  ]);
  const tokenizer = {
    version: '1.0',
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { ...byteLevel, use_regex: true },
    post_processor: null,
    decoder: byteLevel,
    model: { type: 'BPE', vocab: Object.fromEntries(pieces), merges: [] },
  };
  return Buffer.from(JSON.stringify(tokenizer));
}

/** A language model as onnxruntime-genai writes it, with a tokenizer of letters. */
export function onnxDecoder(name: string): NamedFile[] {
  const folder = `decoders/${name}/`;
  const config = read(`${folder}config.json`);
  const { vocab_size } = JSON.parse(config.toString()) as { readonly vocab_size: number };
  const weights = readdirSync(new URL(`${folder}onnx`, fixtures));
  return [
    { name: 'config.json', buffer: config },
    { name: 'tokenizer.json', buffer: tokenizerOf(vocab_size) },
    ...weights.map((file) => ({ name: file, buffer: read(`${folder}onnx/${file}`) })),
  ];
}
