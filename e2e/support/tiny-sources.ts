// A tiny source of each family of conversions. The numbers are random, but always the same.

import { randomNumbers, safetensors, type Tensors } from './safetensors.ts';

const width = 64;
const words = ['water', 'fire', 'tree', 'house', 'sea', 'wind', 'stone', 'bread'];

/** The characters of byte-level tokenizers. Printable bytes stand for themselves, and the others start at 256. */
function byteCharacters(): string[] {
  let other = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCodePoint(printable ? byte : other++);
  });
}

function byteTokenizer(): Record<string, unknown> {
  const vocab = Object.fromEntries(byteCharacters().map((char, id) => [char, id]));
  const byteLevel = {
    type: 'ByteLevel',
    add_prefix_space: false,
    trim_offsets: true,
    use_regex: true,
  };
  const special = {
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  };
  return {
    version: '1.0',
    added_tokens: [{ id: 256, content: '<|end|>', ...special }],
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: { type: 'BPE', vocab: { ...vocab, '<|end|>': 256 }, merges: [] },
  };
}

/** A Hugging Face folder with a llama of one layer. */
export function tinyLlama(): Map<string, Buffer> {
  const random = randomNumbers(7);
  const tensors: Tensors = new Map();
  const add = (name: string, ...shape: number[]): void => {
    const count = shape.reduce((product, extent) => product * extent, 1);
    tensors.set(`model.${name}.weight`, { shape, values: random(count) });
  };
  add('embed_tokens', 257, width);
  for (const part of ['q', 'k', 'v', 'o']) {
    add(`layers.0.self_attn.${part}_proj`, width, width);
  }
  for (const part of ['gate', 'up', 'down']) {
    add(`layers.0.mlp.${part}_proj`, width, width);
  }
  add('layers.0.input_layernorm', width);
  add('layers.0.post_attention_layernorm', width);
  add('norm', width);
  const config = {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    vocab_size: 257,
    hidden_size: width,
    intermediate_size: width,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    num_key_value_heads: 2,
    max_position_embeddings: 128,
    rms_norm_eps: 1e-5,
    rope_theta: 10000,
    hidden_act: 'silu',
    tie_word_embeddings: true,
    bos_token_id: 256,
    eos_token_id: 256,
  };
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  return new Map([
    ['config.json', json(config)],
    ['tokenizer.json', json(byteTokenizer())],
    ['model.safetensors', safetensors(tensors)],
  ]);
}

/** Word vectors as text, with one word and its numbers per line. */
export function gloveText(): Buffer {
  const random = randomNumbers(3);
  const lines = words.map((word) => [word, ...random(16)].join(' '));
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** A vanilla tinyRuntime file with one fully connected layer: 64 inputs, 10 outputs, no bias. */
export function tinyNetwork(): Buffer {
  const table = new Int32Array([2, 0, 1, 0, 64, 10, 0, 0]);
  return Buffer.concat([table, randomNumbers(5)(64 * 10)].map(({ buffer }) => Buffer.from(buffer)));
}
