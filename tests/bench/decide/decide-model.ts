// A llama of random weights whose tokenizer has the words of a prompt, of answers and of JSON as single tokens, as tokenizers of
// published models do.
import { convert, quantize } from '../../../dist/node.js';
import { byteSpellings } from '../../web/support/files/language-file.ts';

type Tensor = readonly [name: string, shape: readonly number[]];

export interface Shape {
  readonly width: number;
  readonly layers: number;
}

const special = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];
const template =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';
const spellings = byteSpellings();

/** The merges that make each piece one token: character by character, from its first one on. */
function mergesOf(pieces: readonly string[]): string[] {
  const merges = new Set<string>();
  for (const piece of pieces) {
    const letters = [...Buffer.from(piece)].map((byte) => spellings[byte] as string);
    for (let i = 1; i < letters.length; i++) {
      merges.add(`${letters.slice(0, i).join('')} ${letters[i]}`);
    }
  }
  return [...merges];
}

function tokenizerJson(merges: readonly string[]) {
  const tokens = [...spellings, ...merges.map((merge) => merge.replace(' ', ''))];
  const byteLevel = {
    type: 'ByteLevel',
    add_prefix_space: false,
    trim_offsets: true,
    use_regex: true,
  };
  return {
    tokens,
    json: {
      version: '1.0',
      added_tokens: special.map((content, i) => ({
        id: tokens.length + i,
        content,
        special: true,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
      })),
      normalizer: null,
      pre_tokenizer: byteLevel,
      post_processor: null,
      decoder: byteLevel,
      model: {
        type: 'BPE',
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
        merges,
      },
    },
  };
}

function tensorsOf({ width, layers }: Shape, inner: number, vocabulary: number): Tensor[] {
  const layer = (i: number): Tensor[] => [
    [`model.layers.${i}.input_layernorm.weight`, [width]],
    ...['q', 'k', 'v', 'o'].map(
      (name): Tensor => [`model.layers.${i}.self_attn.${name}_proj.weight`, [width, width]],
    ),
    [`model.layers.${i}.post_attention_layernorm.weight`, [width]],
    [`model.layers.${i}.mlp.gate_proj.weight`, [inner, width]],
    [`model.layers.${i}.mlp.up_proj.weight`, [inner, width]],
    [`model.layers.${i}.mlp.down_proj.weight`, [width, inner]],
  ];
  return [
    ['model.embed_tokens.weight', [vocabulary, width]],
    ...Array.from({ length: layers }, (_, i) => layer(i)).flat(),
    ['model.norm.weight', [width]],
  ];
}

function safetensors(tensors: readonly Tensor[], width: number): Uint8Array<ArrayBuffer> {
  const header: Record<string, object> = {};
  let floats = 0;
  for (const [name, shape] of tensors) {
    const size = shape.reduce((product, n) => product * n, 1);
    header[name] = { dtype: 'F32', shape, data_offsets: [4 * floats, 4 * (floats + size)] };
    floats += size;
  }
  let state = 7;
  const values = new Float32Array(floats);
  for (let i = 0; i < floats; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = ((state / 2 ** 32 - 0.5) * 3.5) / Math.sqrt(width);
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.from(BigUint64Array.of(BigInt(json.length)).buffer);
  return new Uint8Array(Buffer.concat([length, json, Buffer.from(values.buffer)]));
}

/** The model as AMB in int8, and a bias for each token that makes the longest token the likeliest. */
export async function decideModel(shape: Shape, pieces: readonly string[]) {
  const { tokens, json } = tokenizerJson(mergesOf(pieces));
  const vocabulary = tokens.length + special.length;
  const inner = Math.ceil((shape.width * 8) / 3 / 64) * 64;
  const config = {
    model_type: 'llama',
    architectures: ['LlamaForCausalLM'],
    vocab_size: vocabulary,
    hidden_size: shape.width,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.width / 64,
    intermediate_size: inner,
    max_position_embeddings: 4096,
    rms_norm_eps: 1e-6,
    tie_word_embeddings: true,
    hidden_act: 'silu',
    eos_token_id: vocabulary - 1,
  };
  const written = (value: object) => new TextEncoder().encode(JSON.stringify(value));
  const files = new Map([
    ['config.json', written(config)],
    ['tokenizer.json', written(json)],
    ['tokenizer_config.json', written({ chat_template: template, eos_token: '<|im_end|>' })],
    ['model.safetensors', safetensors(tensorsOf(shape, inner, vocabulary), shape.width)],
  ]);
  const logitBias = Object.fromEntries(tokens.map((token, id) => [id, 1000 * token.length]));
  const { blob } = await quantize(await convert(files, { to: 'amb' }), { type: 'int8' });
  return { file: blob as Blob, logitBias };
}
