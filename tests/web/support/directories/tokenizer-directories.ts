// Directories of small encoders and language models with tokenizers of any kind.
import { safetensors } from '../fixtures.ts';
import type { Files } from './model-directories.ts';

const hidden = 8;
const inner = 16;
const positions = 64;

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const linear = (name: string, rows: number, columns: number) =>
  [
    [`${name}.weight`, [rows, columns]],
    [`${name}.bias`, [rows]],
  ] as const;
const norm = (name: string) =>
  [
    [`${name}.weight`, [hidden]],
    [`${name}.bias`, [hidden]],
  ] as const;

/** A BERT of one layer with `tokens` rows, and the files of its tokenizer. */
export function encoderDirectory(
  tokens: number,
  tokenizer: Readonly<Record<string, Uint8Array>>,
): Files {
  const config = {
    model_type: 'bert',
    vocab_size: tokens,
    hidden_size: hidden,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    intermediate_size: inner,
    max_position_embeddings: positions,
    type_vocab_size: 2,
  };
  const layer = 'encoder.layer.0';
  const weights = safetensors(
    [
      ['embeddings.word_embeddings.weight', [tokens, hidden]],
      ['embeddings.position_embeddings.weight', [positions, hidden]],
      ['embeddings.token_type_embeddings.weight', [2, hidden]],
      ...norm('embeddings.LayerNorm'),
      ...linear(`${layer}.attention.self.query`, hidden, hidden),
      ...linear(`${layer}.attention.self.key`, hidden, hidden),
      ...linear(`${layer}.attention.self.value`, hidden, hidden),
      ...linear(`${layer}.attention.output.dense`, hidden, hidden),
      ...norm(`${layer}.attention.output.LayerNorm`),
      ...linear(`${layer}.intermediate.dense`, inner, hidden),
      ...linear(`${layer}.output.dense`, hidden, inner),
      ...norm(`${layer}.output.LayerNorm`),
    ],
    1,
  );
  return new Map([
    ['config.json', encode(config)],
    ['model.safetensors', weights],
    ...Object.entries(tokenizer).map(([name, bytes]) => [name, new Uint8Array(bytes)] as const),
  ]);
}

/** A Llama of one layer and 4 dimensions with `tokens` rows, and the files of its tokenizer. */
export function decoderDirectory(
  tokens: number,
  tokenizer: Readonly<Record<string, Uint8Array | object>>,
): Files {
  const size = 4;
  const config = {
    model_type: 'llama',
    vocab_size: tokens,
    hidden_size: size,
    num_hidden_layers: 1,
    num_attention_heads: 1,
    intermediate_size: size,
    max_position_embeddings: positions,
    rms_norm_eps: 1e-5,
    tie_word_embeddings: true,
  };
  const layer = 'model.layers.0';
  const matrices = ['self_attn.q', 'self_attn.k', 'self_attn.v', 'self_attn.o', 'mlp.gate']
    .concat('mlp.up', 'mlp.down')
    .map((name) => [`${layer}.${name}_proj.weight`, [size, size]] as const);
  const weights = zeros([
    ['model.embed_tokens.weight', [tokens, size]],
    ['model.norm.weight', [size]],
    [`${layer}.input_layernorm.weight`, [size]],
    [`${layer}.post_attention_layernorm.weight`, [size]],
    ...matrices,
  ]);
  return new Map([
    ['config.json', encode(config)],
    ['model.safetensors', weights],
    ...Object.entries(tokenizer).map(([name, file]) => {
      const bytes = file instanceof Uint8Array ? new Uint8Array(file) : encode(file);
      return [name, bytes] as const;
    }),
  ]);
}

/** A file of tensors of zeros: real vocabularies have many rows. */
function zeros(tensors: readonly (readonly [string, readonly number[]])[]) {
  const header: Record<string, object> = {};
  let end = 0;
  for (const [name, shape] of tensors) {
    const begin = end;
    end += 2 * shape.reduce((product, n) => product * n, 1);
    header[name] = { dtype: 'F16', shape, data_offsets: [begin, end] };
  }
  const text = encode(header);
  const file = new Uint8Array(8 + text.length + end);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  return file;
}
