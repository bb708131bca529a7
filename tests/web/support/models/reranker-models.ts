// Small language models with made-up weights that rank: as directories of Hugging Face, and as GGUF.

import { byteSpellings } from '../files/language-file.ts';
import { safetensors } from '../fixtures.ts';
import { ambry } from '../package.ts';

type Files = Map<string, Uint8Array<ArrayBuffer>>;
type Tensor = readonly [name: string, shape: readonly number[]];

const width = 64;
const inner = 96;
const heads = 4;
const headSize = 16;
const usualLayers = 2;
const context = 512;

/** Tokens of more than one byte, after the 256 bytes; each is a merge of the ones before. */
const merges = ['y e', 'ye s', 'n o', 'Y e', 'Ye s'];
/** Special ones after these. */
const special = [
  '<|endoftext|>',
  '<|im_start|>',
  '<|im_end|>',
  '<think>',
  '</think>',
  '<bos>',
  '<s>',
];
const spellings = byteSpellings();
const spelled = [...spellings, ...merges.map((merge) => merge.replace(' ', ''))];

/** The id of a token, such as `yes`. */
export function idOf(token: string): number {
  const at = spelled.indexOf(token);
  return at < 0 ? spelled.length + special.indexOf(token) : at;
}

export const vocabularySize = spelled.length + special.length;

const encode = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

function tokenizerJson(tokens: readonly string[]) {
  const added = special.map((content, i) => ({
    id: tokens.length + i,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }));
  return {
    version: '1.0',
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: {
      type: 'ByteLevel',
      add_prefix_space: false,
      trim_offsets: true,
      use_regex: true,
    },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: merges.slice(0, tokens.length - spellings.length),
    },
  };
}

function tensorsOf(type: string, count: number): Tensor[] {
  const layer = (i: number): Tensor[] => {
    const at = `model.layers.${i}`;
    const projection = (name: string, rows: number): Tensor[] => [
      [`${at}.self_attn.${name}_proj.weight`, [rows, width]],
      ...(type === 'qwen2' ? [[`${at}.self_attn.${name}_proj.bias`, [rows]] as const] : []),
    ];
    return [
      [`${at}.input_layernorm.weight`, [width]],
      ...['q', 'k', 'v'].flatMap((name) => projection(name, heads * headSize)),
      [`${at}.self_attn.o_proj.weight`, [width, heads * headSize]],
      ...(type === 'qwen3'
        ? ['q', 'k'].map((name) => [`${at}.self_attn.${name}_norm.weight`, [headSize]] as const)
        : []),
      [`${at}.post_attention_layernorm.weight`, [width]],
      [`${at}.mlp.gate_proj.weight`, [inner, width]],
      [`${at}.mlp.up_proj.weight`, [inner, width]],
      [`${at}.mlp.down_proj.weight`, [width, inner]],
    ];
  };
  return [
    ['model.embed_tokens.weight', [vocabularySize, width]],
    ...Array.from({ length: count }, (_, i) => layer(i)).flat(),
    ['model.norm.weight', [width]],
  ];
}

export interface RerankerFiles {
  readonly type?: 'qwen3' | 'qwen2' | 'gemma' | 'minicpm';
  /** More members of config.json. */
  readonly config?: object;
  /** Further files, as text or JSON. Null removes one. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly layers?: number;
  /** Further tensors. */
  readonly tensors?: readonly Tensor[];
  /** Leaves out the merges, so that no word is a token. */
  readonly bytesAlone?: boolean;
}

/** A language model in a directory. */
export function languageModelDirectory({
  type = 'qwen3',
  config = {},
  files = {},
  layers = usualLayers,
  tensors = [],
  bytesAlone = false,
}: RerankerFiles = {}): Files {
  const facts = {
    model_type: type,
    architectures: [`${type.replace(/^./, (first) => first.toUpperCase())}ForCausalLM`],
    vocab_size: vocabularySize,
    hidden_size: width,
    head_dim: headSize,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: heads,
    intermediate_size: inner,
    max_position_embeddings: context,
    rms_norm_eps: 1e-6,
    tie_word_embeddings: true,
    hidden_act: type === 'gemma' ? 'gelu_pytorch_tanh' : 'silu',
    ...config,
  };
  const tokens = bytesAlone ? spellings : spelled;
  const made: Files = new Map([
    ['config.json', encode(facts)],
    ['tokenizer.json', encode(tokenizerJson(tokens))],
    ['model.safetensors', safetensors([...tensorsOf(type, layers), ...tensors], 11)],
  ]);
  for (const [name, content] of Object.entries(files)) {
    if (content === null) {
      made.delete(name);
    } else {
      made.set(name, encode(content));
    }
  }
  return made;
}

/** A model that scores after each of its layers from the second one on, as bge-reranker-v2-minicpm-layerwise. */
export const layerwiseDirectory = (layers: number, config: object = {}): Files =>
  languageModelDirectory({
    type: 'minicpm',
    layers,
    tensors: Array.from(
      { length: layers - 1 },
      (_, i) => [`lm_head.${i}.linear_head.weight`, [1, width]] as const,
    ),
    config: {
      architectures: ['LayerWiseMiniCPMForCausalLM'],
      max_position_embeddings: 2048,
      scale_emb: 12,
      scale_depth: 1.4,
      dim_model_base: 16,
      start_layer: 2,
      head_multi: true,
      head_type: 'simple',
      ...config,
    },
  });

/** The modules of sentence-transformers for a language model that ranks. */
export const logitScoreModules = [
  {
    idx: 0,
    name: '0',
    path: '',
    type: 'sentence_transformers.base.modules.transformer.Transformer',
  },
  {
    idx: 1,
    name: '1',
    path: '1_LogitScore',
    type: 'sentence_transformers.cross_encoder.modules.logit_score.LogitScore',
  },
];

export const rankTemplate =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';

/** The files of a directory with LogitScore. */
export const logitScoreFiles = {
  'modules.json': logitScoreModules,
  '1_LogitScore/config.json': { true_token_id: idOf('yes'), false_token_id: idOf('no') },
  'chat_template.jinja': rankTemplate,
  'config_sentence_transformers.json': {
    activation_fn: 'torch.nn.modules.activation.Sigmoid',
    prompts: { web: 'Find an answer.' },
    default_prompt_name: 'web',
  },
  'sentence_bert_config.json': {
    transformer_task: 'text-generation',
    modality_config: {
      text: { method: 'forward', method_output_name: 'logits' },
      message: { method: 'forward', method_output_name: 'logits', format: 'flat' },
    },
    module_output_name: 'causal_logits',
    processing_kwargs: { chat_template: { add_generation_prompt: true } },
  },
};

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
};

/** What a GGUF file has besides. Numbers are u32. */
export interface GgufAdditions {
  readonly entries?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly tensors?: Readonly<
    Record<string, { readonly shape: readonly number[]; readonly numbers: Float32Array }>
  >;
}

function entry(key: string, value: string | number | readonly string[]): Buffer {
  if (typeof value === 'string') {
    return Buffer.concat([text(key), u32(8), text(value)]);
  }
  if (typeof value === 'number') {
    return Buffer.concat([text(key), u32(4), u32(value)]);
  }
  return Buffer.concat([text(key), u32(9), u32(8), u64(value.length), ...value.map(text)]);
}

/** The model as GGUF, with more entries and tensors. */
export async function languageModelGguf({
  entries = {},
  tensors = {},
}: GgufAdditions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const amb = await ambry.convert(languageModelDirectory(), { to: 'amb' });
  const blob = await ambry.convert(amb, { to: 'gguf' });
  const file = new Uint8Array(await blob.arrayBuffer());
  const { tensors: own, regions } = await ambry.inspect(file);
  const metadata = regions.find(({ name }) => name === 'metadata');
  const stored = file.subarray(metadata?.offset, (metadata?.offset ?? 0) + (metadata?.bytes ?? 0));
  const count = Number(new DataView(file.buffer).getBigUint64(16, true));
  const all = [
    ...own.map(({ name, shape, offset, bytes }) => ({
      name,
      shape,
      data: Buffer.from(file.subarray(offset, offset + bytes)),
    })),
    ...Object.entries(tensors).map(([name, { shape, numbers }]) => ({
      name,
      shape,
      data: Buffer.from(numbers.slice().buffer),
    })),
  ];
  let end = 0;
  const infos: Buffer[] = [];
  const pieces: Buffer[] = [];
  for (const { name, shape, data } of all) {
    const extents = [...shape].reverse().map(u64);
    infos.push(Buffer.concat([text(name), u32(shape.length), ...extents, u32(0), u64(end)]));
    const padding = Buffer.alloc((32 - (data.length % 32)) % 32);
    pieces.push(data, padding);
    end += data.length + padding.length;
  }
  const added = Object.entries(entries).map(([key, value]) => entry(key, value));
  const counts = [u32(3), u64(all.length), u64(count + added.length)];
  const head = Buffer.concat([Buffer.from('GGUF'), ...counts, stored, ...added, ...infos]);
  const padding = Buffer.alloc((32 - (head.length % 32)) % 32);
  return Uint8Array.from(Buffer.concat([head, padding, ...pieces]));
}

/** Rows of the embedding, which is the output, too. */
export function outputRows(...ids: readonly number[]): Float32Array {
  const file = languageModelDirectory().get('model.safetensors') as Uint8Array<ArrayBuffer>;
  const size = Number(new DataView(file.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + size))) as Record<
    string,
    { readonly data_offsets: readonly [number, number] }
  >;
  const [begin = 0] = header['model.embed_tokens.weight']?.data_offsets ?? [];
  return Float32Array.from(
    ids.flatMap((id) =>
      Array.from(new Float32Array(file.slice(8 + size + begin + 4 * width * id).buffer, 0, width)),
    ),
  );
}

export const hiddenSize = width;
