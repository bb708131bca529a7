// Directories of small encoders with tokenizers of any kind.
import { safetensors } from './fixtures.ts';
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
