// Decoders of any architecture as AMB, with made-up weights, whose tokens are the 256 bytes. llama.cpp reads what they are
// converted to.
import { ambOf, type Store } from '../../tests/web/support/files/amb-file.ts';
import { beginId, byteTokenizer, vocabulary } from '../../tests/web/support/files/language-file.ts';

export type Tensor = readonly [name: string, shape: readonly number[]];

export interface Sizes {
  readonly width: number;
  readonly wide: number;
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly headDim: number;
}

export interface Architecture {
  readonly sizes: Sizes;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly layers?: number;
  /** What each layer has, or the one with this number. */
  readonly layer: readonly Tensor[] | ((i: number) => readonly Tensor[]);
  /** Tensors after the embedding. */
  readonly tables?: readonly Tensor[];
  readonly ends?: readonly Tensor[];
  /** The name of the table of tokens, if it is another. */
  readonly embedding?: string;
  /** How matrices are stored, if not in f32. */
  readonly store?: Store;
}

export const norm = (name: string, n: number): Tensor => [`${name}.weight`, [n]];
export const matrix = (name: string, out: number, columns: number): Tensor => [
  `${name}.weight`,
  [out, columns],
];

export function attentionOf({ width, heads, keyValueHeads, headDim }: Sizes): readonly Tensor[] {
  return [
    matrix('self_attn.q_proj', heads * headDim, width),
    matrix('self_attn.k_proj', keyValueHeads * headDim, width),
    matrix('self_attn.v_proj', keyValueHeads * headDim, width),
    matrix('self_attn.o_proj', width, heads * headDim),
  ];
}

export function gatedOf({ width, wide }: Sizes): readonly Tensor[] {
  return [
    matrix('mlp.gate_proj', wide, width),
    matrix('mlp.up_proj', wide, width),
    matrix('mlp.down_proj', width, wide),
  ];
}

export function decoderFile(
  architecture: string,
  {
    sizes,
    config,
    layers = 2,
    layer,
    tables = [],
    ends,
    embedding = 'model.embed_tokens.weight',
    store,
  }: Architecture,
): Blob {
  const { width, wide, heads, keyValueHeads, headDim } = sizes;
  const facts = JSON.stringify({
    architecture,
    n_vocab: vocabulary,
    n_embd: width,
    n_layers: layers,
    n_heads: heads,
    n_kv_heads: keyValueHeads,
    head_dim: headDim,
    n_ff: wide,
    max_seq_len: 512,
    tokenizer: { pretokenizer: 'gpt2', add_bos: true },
    ...config,
  });
  const tensors: Tensor[] = [
    [embedding, [vocabulary, width]],
    ...tables,
    ...Array.from({ length: layers }, (_, i) =>
      (typeof layer === 'function' ? layer(i) : layer).map(
        ([name, shape]): Tensor => [`model.layers.${i}.${name}`, shape],
      ),
    ).flat(),
    ...(ends ?? [norm('model.norm', width)]),
  ];
  // Norms and factors near 1 (Gemma up to 3 and Qwen3.5 add the 1 themselves), and matrices that keep the size of numbers.
  const addsOne = ['gemma', 'gemma2', 'gemma3', 'qwen3_5', 'qwen3_5_moe'].includes(architecture);
  const scale = (name: string, numbers: Float32Array) => {
    // Streams that mix as strongly as others multiply would grow from layer to layer.
    const size = name.includes('_coefs') ? 1 / 8 : 4 / Math.sqrt(width);
    const isNorm = /norm[^/]*\.weight$|[._]scal(e|ar)$/.test(name);
    const one = addsOne && !name.includes('linear_attn') ? 0 : 1;
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] ?? 0;
      numbers[i] = isNorm ? one + number / 4 : number * size;
    }
    // llama.cpp fails where an answer is not UTF-8, and must not end it. A row of zeros gives a logit of 0, which is never
    // the largest.
    if (name === embedding || name === 'lm_head.weight') {
      for (let id = 127; id < vocabulary; id++) {
        if (id !== beginId) {
          numbers.fill(0, id * width, (id + 1) * width);
        }
      }
    }
  };
  return new Blob([ambOf(facts, byteTokenizer(), tensors, scale, store)]);
}
