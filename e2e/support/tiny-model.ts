// A Hugging Face folder with a tiny BERT of one layer and 32 dimensions. Its weights are random, but always the same.

import { randomNumbers, safetensors, type Tensors } from './safetensors.ts';

const hiddenSize = 32;
const headCount = 2;
const intermediateSize = 64;
const positionCount = 64;

const commonWords =
  'the a an of to in and is it on for with not water fire tree house sea wind stone bread night day cat dog';

function vocabulary(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
  return [
    '[PAD]',
    '[UNK]',
    '[CLS]',
    '[SEP]',
    '[MASK]',
    ...letters,
    ...letters.map((letter) => `##${letter}`),
    ...'.,;:!?\'"-()'.split(''),
    ...commonWords.split(' ').filter((word) => word.length > 1),
  ];
}

function bertTensors(vocabSize: number, seed: number): Tensors {
  const random = randomNumbers(seed);
  const tensors: Tensors = new Map();
  const matrix = (name: string, rows: number, columns: number): void => {
    tensors.set(name, { shape: [rows, columns], values: random(rows * columns) });
  };
  const linear = (name: string, rows: number, columns: number): void => {
    matrix(`${name}.weight`, rows, columns);
    tensors.set(`${name}.bias`, { shape: [rows], values: random(rows) });
  };
  const norm = (name: string): void => {
    tensors.set(`${name}.weight`, {
      shape: [hiddenSize],
      values: new Float32Array(hiddenSize).fill(1),
    });
    tensors.set(`${name}.bias`, { shape: [hiddenSize], values: new Float32Array(hiddenSize) });
  };
  matrix('embeddings.word_embeddings.weight', vocabSize, hiddenSize);
  matrix('embeddings.position_embeddings.weight', positionCount, hiddenSize);
  matrix('embeddings.token_type_embeddings.weight', 2, hiddenSize);
  norm('embeddings.LayerNorm');
  const layer = 'encoder.layer.0';
  for (const part of ['query', 'key', 'value']) {
    linear(`${layer}.attention.self.${part}`, hiddenSize, hiddenSize);
  }
  linear(`${layer}.attention.output.dense`, hiddenSize, hiddenSize);
  norm(`${layer}.attention.output.LayerNorm`);
  linear(`${layer}.intermediate.dense`, intermediateSize, hiddenSize);
  linear(`${layer}.output.dense`, hiddenSize, intermediateSize);
  norm(`${layer}.output.LayerNorm`);
  return tensors;
}

/** The files by their path in the folder. */
export function tinyModel(seed = 1): Map<string, Buffer> {
  const vocab = vocabulary();
  const config = {
    architectures: ['BertModel'],
    model_type: 'bert',
    vocab_size: vocab.length,
    hidden_size: hiddenSize,
    num_hidden_layers: 1,
    num_attention_heads: headCount,
    intermediate_size: intermediateSize,
    max_position_embeddings: positionCount,
    type_vocab_size: 2,
    layer_norm_eps: 1e-12,
    hidden_act: 'gelu',
    pad_token_id: 0,
    position_embedding_type: 'absolute',
  };
  const pooling = { word_embedding_dimension: hiddenSize, pooling_mode_mean_tokens: true };
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value, null, 2));
  return new Map([
    ['config.json', json(config)],
    ['model.safetensors', safetensors(bertTensors(vocab.length, seed))],
    ['vocab.txt', Buffer.from(`${vocab.join('\n')}\n`)],
    ['1_Pooling/config.json', json(pooling)],
    ['sentence_bert_config.json', json({ max_seq_length: 48, do_lower_case: false })],
  ]);
}
