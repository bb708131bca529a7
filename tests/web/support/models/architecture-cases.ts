// Models of every architecture with made-up weights, in the containers that hold them. tests/fixtures/ lists their tensors.
import { readdirSync, readFileSync } from 'node:fs';
import type { Files } from '../directories/model-directories.ts';
import { ambOf } from '../files/amb-file.ts';
import { safetensors, testVocabulary } from '../fixtures.ts';

type Config = Readonly<Record<string, unknown>>;
type Tensors = readonly (readonly [string, readonly number[]])[];

interface Case {
  readonly config: Config;
  readonly tensors: Tensors;
}

const fixtures = new URL('../../../fixtures/', import.meta.url);
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

interface Fixture {
  readonly config: Config;
  readonly tensors: Tensors | Readonly<Record<string, readonly number[]>>;
}

function caseIn(path: string): Case {
  const { config, tensors } = JSON.parse(readFileSync(new URL(path, fixtures), 'utf8')) as Fixture;
  const list = Array.isArray(tensors) ? (tensors as Tensors) : Object.entries(tensors);
  return { config, tensors: list.map(([name, shape]) => [name, shape] as const) };
}

/** The stories are texts of a model that lies elsewhere. */
const casesIn = (folder: string) =>
  readdirSync(new URL(`${folder}/`, fixtures))
    .filter((name) => !name.startsWith('stories'))
    .map((name) => caseIn(`${folder}/${name}`));

/** The encoders, each by its config.json. */
export const encoderCases: readonly Case[] = casesIn('encoder_architectures');

/** The language models, each by AMB's config. The first of an architecture counts. */
export const generatorCases: readonly Case[] = [...casesIn('decoder')].filter(
  ({ config }, i, all) =>
    all.findIndex((other) => other.config['architecture'] === config['architecture']) === i,
);

/** A language model that makes embeddings, with dense layers. */
export const embeddingCase: Case = caseIn('embeddings/gemma3_mean.json');

/** The encoder as a directory. `type` takes the place of its model_type. */
export function encoderDirectoryOf({ config, tensors }: Case, type?: string): Files {
  const rows = Number(config['vocab_size']);
  const tokens = testVocabulary.slice(0, Math.min(rows, 61));
  return new Map([
    ['config.json', encode({ ...config, ...(type && { model_type: type }) })],
    ['vocab.txt', new TextEncoder().encode(`${tokens.join('\n')}\n`)],
    ['model.safetensors', safetensors(tensors, 1)],
    // Without it, a RoFormer would have the tokenizer that cuts texts into Chinese words.
    ...(config['model_type'] === 'roformer'
      ? ([['tokenizer_config.json', encode({ tokenizer_class: 'BertTokenizer' })]] as const)
      : []),
  ]);
}

/** The language model as AMB, without a tokenizer. `architecture` takes the place of its own name. */
export function ambFileOf({ config, tensors }: Case, architecture = config['architecture']) {
  return ambOf(JSON.stringify({ ...config, architecture }), new Uint8Array(0), tensors);
}

/** Hugging Face's keys of what AMB's config states. */
const keys: Readonly<Record<string, string>> = {
  n_vocab: 'vocab_size',
  n_embd: 'hidden_size',
  n_layers: 'num_hidden_layers',
  n_heads: 'num_attention_heads',
  n_kv_heads: 'num_key_value_heads',
  n_ff: 'intermediate_size',
  max_seq_len: 'max_position_embeddings',
  rope_freq_base: 'rope_theta',
  logit_scale: 'logits_scaling',
  conv_taps: 'conv_L_cache',
  n_experts: 'num_experts',
  n_experts_used: 'num_experts_per_tok',
  n_ff_expert: 'moe_intermediate_size',
  n_dense_layers: 'num_dense_layers',
};

/** What config.json states besides, by the architecture. */
const stated: Readonly<Record<string, Config>> = {
  falcon: { new_decoder_architecture: true, num_kv_heads: 2, alibi: false, bias: false },
  mpt: { attn_config: { alibi: true } },
  gptj: { rotary_dim: 8 },
  phi: { partial_rotary_factor: 0.4 },
  helium: { head_dim: 6 },
  lfm2: { block_auto_adjust_ff_dim: false, block_multiple_of: 1 },
  falcon_h1: { mamba_d_ssm: 42 },
};

type Change = (directory: Required<Case>) => Case;

/** The keys of state spaces have other names in each family. */
const renamed = (config: Config, names: Readonly<Record<string, string>>): Config =>
  Object.fromEntries(Object.entries(config).map(([key, value]) => [names[key] ?? key, value]));

const mambaKeys = {
  ssm_heads: 'mamba_n_heads',
  ssm_head_dim: 'mamba_d_head',
  ssm_state_dim: 'mamba_d_state',
  ssm_groups: 'mamba_n_groups',
  conv_L_cache: 'mamba_d_conv',
};

const withMamba: Change = ({ config, tensors }) => ({
  config: renamed(config, mambaKeys),
  tensors,
});

const withNemotronKeys: Change = ({ config, tensors }) => ({
  config: renamed(config, {
    ssm_heads: 'mamba_num_heads',
    ssm_head_dim: 'mamba_head_dim',
    ssm_state_dim: 'ssm_state_size',
    ssm_groups: 'n_groups',
    conv_L_cache: 'conv_kernel',
  }),
  tensors,
});

/** Granite 4 has the matrices of gate and up in one. */
const joined: Change = ({ config, tensors }) => ({
  config: {
    ...renamed(config, mambaKeys),
    shared_intermediate_size: config['intermediate_size'],
    layer_types: (config['layer_types'] as string[]).map((type) =>
      type === 'full_attention' ? 'attention' : type,
    ),
    position_embedding_type: 'nope',
  },
  tensors: tensors
    .filter(([name]) => !name.endsWith('mlp.up_proj.weight'))
    .map(([name, [rows = 0, ...columns]]) =>
      name.endsWith('mlp.gate_proj.weight')
        ? [name.replace('mlp.gate_proj', 'shared_mlp.input_linear'), [2 * rows, ...columns]]
        : [name.replace('mlp.down_proj', 'shared_mlp.output_linear'), [rows, ...columns]],
    ),
});

/** Mistral 3 is the language model of a larger one, which states the rotation of positions by its newer key. */
const partOfLarger: Change = ({ config, tensors }) => {
  const { rope_theta, rope_scaling, attn_temperature: _, ...text } = config;
  const rope_parameters = { ...(rope_scaling as Config), rope_theta };
  return {
    config: {
      text_config: { ...text, model_type: 'ministral3', rope_parameters },
      vision_config: { model_type: 'pixtral' },
    },
    tensors: tensors.map(([name, shape]) => [`language_model.${name}`, shape]),
  };
};

/** Qwen3.5 is the language model of one that sees. */
const ofQwen =
  (model_type: string): Change =>
  ({ config, tensors }) => ({
    config: { text_config: { ...config, model_type } },
    tensors: tensors.map(([name, shape]) => [
      name.replace(/^model\./, 'model.language_model.'),
      shape,
    ]),
  });

/** Qwen states the width of the part that all tokens take by itself. */
const withShared: Change = ({ config, tensors }) => ({
  config: { ...config, shared_expert_intermediate_size: config['intermediate_size'] },
  tensors,
});

/** Apertus learns the parameters of its activation. */
const withXielu: Change = ({ config: { xielu, ...config }, tensors }) => {
  const layers = Array.from({ length: Number(config['num_hidden_layers']) }, (_, i) => i);
  const learned = layers.flatMap((i) =>
    Object.keys(xielu as Config).map(
      (name) => [`model.layers.${i}.mlp.act_fn.${name}`, [1]] as const,
    ),
  );
  return { config: { ...config, hidden_act: 'xielu' }, tensors: [...tensors, ...learned] };
};

const dimensionsOf: Change = ({ config, tensors }) => {
  const { n_shared_kv_layers, n_embd_per_layer, n_vocab_per_layer, final_softcap, ...rest } =
    config;
  const { n_streams, activation_sparsity, shared_ff, global_rotary_factor, ...plain } = rest;
  const list = activation_sparsity as readonly (number | null)[] | undefined;
  return {
    config: {
      ...plain,
      num_kv_shared_layers: n_shared_kv_layers,
      hidden_size_per_layer_input: n_embd_per_layer,
      vocab_size_per_layer_input: n_vocab_per_layer,
      final_logit_softcapping: final_softcap,
      ...(list && { activation_sparsity_pattern: list.map((cut) => (cut === null ? 0 : 0.95)) }),
      ...(n_streams !== undefined && { altup_num_inputs: n_streams }),
      ...(shared_ff !== undefined && { use_double_wide_mlp: true }),
      ...(global_rotary_factor !== undefined && {
        rope_parameters: {
          full_attention: {
            rope_type: 'proportional',
            partial_rotary_factor: global_rotary_factor,
            rope_theta: plain['rope_theta'],
          },
          sliding_attention: { rope_type: 'default', rope_theta: 10_000 },
        },
      }),
    },
    tensors,
  };
};

/** Gemma 3n and 4 are the language models of larger ones. */
const gemmaOf =
  (type: string): Change =>
  (directory) => {
    const { config, tensors } = dimensionsOf(directory);
    return {
      config: { text_config: { ...config, model_type: `${type}_text` } },
      tensors: tensors.map(([name, shape]) => [
        name.replace('model.', 'model.language_model.'),
        shape,
      ]),
    };
  };

/** How a directory of this type differs from AMB besides. */
const changes: Readonly<Record<string, Change>> = {
  granitemoehybrid: joined,
  falcon_h1: withMamba,
  nemotron_h: withNemotronKeys,
  mistral3: partOfLarger,
  qwen3_5: ofQwen('qwen3_5_text'),
  qwen2_moe: withShared,
  qwen3_5_moe_text: withShared,
  qwen3_5_moe: (directory) =>
    ofQwen('qwen3_5_moe_text')({ ...directory, ...withShared(directory) }),
  apertus: withXielu,
  gemma3n: gemmaOf('gemma3n'),
  gemma3n_text: dimensionsOf,
  gemma4: gemmaOf('gemma4'),
  gemma4_text: dimensionsOf,
};

/** The language model as a directory of this model_type, without a tokenizer. */
export function generatorDirectoryOf({ config, tensors }: Case, type: string): Files {
  const { architecture, ...facts } = config;
  const named = Object.entries(facts).map(([key, value]) => [keys[key] ?? key, value]);
  const more = stated[String(architecture)] ?? {};
  const plain = { config: { ...Object.fromEntries(named), ...more }, tensors };
  const directory = changes[type]?.(plain) ?? plain;
  return new Map([
    ['config.json', encode({ ...directory.config, model_type: type })],
    ['model.safetensors', safetensors(directory.tensors, 1)],
  ]);
}

/** A Gemma 3n as GGUF can state it: with the sizes that llama.cpp has for every one. */
export function gemma3nForGguf({ config, tensors }: Case): Case {
  const layers = 25;
  const [input, rank] = [256, 64];
  const { n_layers, n_embd_per_layer, laurel_rank } = config;
  const sizes = new Map([
    [Number(n_embd_per_layer), input],
    [Number(n_layers) * Number(n_embd_per_layer), layers * input],
    [Number(laurel_rank), rank],
  ]);
  const resized = tensors.map(
    ([name, shape]) => [name, shape.map((extent) => sizes.get(extent) ?? extent)] as const,
  );
  const ofLayer = resized.filter(([name]) => name.includes('layers.0.'));
  const indices = Array.from({ length: layers }, (_, i) => i);
  return {
    config: {
      ...config,
      n_layers: layers,
      n_embd_per_layer: input,
      laurel_rank: rank,
      n_shared_kv_layers: 5,
      final_softcap: 30,
      layer_types: indices.map((i) => ((i + 1) % 5 === 0 ? 'full_attention' : 'sliding_attention')),
      activation_sparsity: indices.map((i) => (i < 10 ? 1.6448534 : null)),
    },
    tensors: [
      ...resized.filter(([name]) => !name.includes('.layers.')),
      ...indices.flatMap((i) =>
        ofLayer.map(([name, shape]) => [name.replace('layers.0.', `layers.${i}.`), shape] as const),
      ),
    ],
  };
}
