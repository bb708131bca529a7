// A small CLIP as transformers and sentence-transformers save it.
import { safetensors } from '../fixtures.ts';

type Files = Map<string, Uint8Array<ArrayBuffer>>;

const width = 32;
const inner = 48;
const positions = 16;
const projected = 24;
const letters = 'abcdefghijklmnopqrstuvwxyz';
const ends = ['<|startoftext|>', '<|endoftext|>'] as const;
const words = ['the', 'cat', 'sat', 'on', 'mat', 'dog'];

/** The merges that make each word, from its first letter on. */
const mergesOf = (word: string) =>
  [...word].slice(1).map((letter, i) => {
    const end = i + 2 === word.length ? '</w>' : '';
    return `${word.slice(0, i + 1)} ${letter}${end}`;
  });

const merges = [...new Set(words.flatMap(mergesOf))];
const tokens = [
  ...new Set([
    ...[...letters].flatMap((letter) => [letter, `${letter}</w>`]),
    ...merges.map((merge) => merge.replace(' ', '')),
    ...ends,
  ]),
];

export const clipIds = (spelled: readonly string[]) =>
  spelled.map((token) => tokens.indexOf(token));

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const tokenizer = {
  added_tokens: ends.map((content) => ({
    id: tokens.indexOf(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: {
    type: 'Sequence',
    normalizers: [
      { type: 'NFC' },
      { type: 'Replace', pattern: { Regex: '\\s+' }, content: ' ' },
      { type: 'Lowercase' },
    ],
  },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      {
        type: 'Split',
        pattern: {
          Regex: "'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+",
        },
        behavior: 'Removed',
        invert: true,
      },
      { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
    ],
  },
  post_processor: {
    type: 'RobertaProcessing',
    sep: [ends[1], tokens.indexOf(ends[1])],
    cls: [ends[0], tokens.indexOf(ends[0])],
    trim_offsets: false,
    add_prefix_space: false,
  },
  decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true },
  model: {
    type: 'BPE',
    unk_token: ends[1],
    continuing_subword_prefix: '',
    end_of_word_suffix: '</w>',
    fuse_unk: false,
    vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    merges,
  },
};

const textConfig = {
  model_type: 'clip_text_model',
  vocab_size: tokens.length,
  hidden_size: width,
  intermediate_size: inner,
  num_hidden_layers: 1,
  num_attention_heads: 4,
  max_position_embeddings: positions,
  eos_token_id: 2,
};

/** The tensors of a half for texts of these sizes, without what follows the pooling. */
export function towerShapes(rows: number, width: number): [name: string, shape: number[]][] {
  const layer = 'text_model.encoder.layers.0';
  const linear = (name: string, out: number, n: number): [string, number[]][] => [
    [`${name}.weight`, [out, n]],
    [`${name}.bias`, [out]],
  ];
  const norm = (name: string): [string, number[]][] => [
    [`${name}.weight`, [width]],
    [`${name}.bias`, [width]],
  ];
  return [
    ['text_model.embeddings.token_embedding.weight', [rows, width]],
    ['text_model.embeddings.position_embedding.weight', [positions, width]],
    ...norm(`${layer}.layer_norm1`),
    ...['q_proj', 'k_proj', 'v_proj', 'out_proj'].flatMap((part) =>
      linear(`${layer}.self_attn.${part}`, width, width),
    ),
    ...norm(`${layer}.layer_norm2`),
    ...linear(`${layer}.mlp.fc1`, inner, width),
    ...linear(`${layer}.mlp.fc2`, width, inner),
    ...norm('text_model.final_layer_norm'),
  ];
}

const projection: [string, number[]] = ['text_projection.weight', [projected, width]];

/** The files of the whole model, or of its half for texts alone. */
export function clipDirectory(whole = true): Files {
  const pictures: [string, number[]][] = [
    ['logit_scale', [1]],
    ['vision_model.post_layernorm.weight', [8]],
    ['visual_projection.weight', [projected, 8]],
  ];
  const config = whole
    ? { model_type: 'clip', projection_dim: projected, text_config: textConfig, vision_config: {} }
    : {
        ...textConfig,
        projection_dim: projected,
        architectures: ['CLIPTextModelWithProjection'],
      };
  return new Map([
    ['config.json', encode(config)],
    ['tokenizer.json', encode(tokenizer)],
    ['tokenizer_config.json', encode({ tokenizer_class: 'CLIPTokenizer', eos_token: ends[1] })],
    [
      'model.safetensors',
      safetensors(
        [...towerShapes(tokens.length, width), projection, ...(whole ? pictures : [])],
        21,
      ),
    ],
  ]);
}

/** The whole model in the folder of sentence-transformers' module. */
export function clipModule(): Files {
  const type = 'sentence_transformers.models.CLIPModel';
  return new Map([
    ['modules.json', encode([{ idx: 0, name: '0', path: '0_CLIPModel', type }])],
    ...[...clipDirectory()].map(([name, file]) => [`0_CLIPModel/${name}`, file] as const),
  ]);
}
