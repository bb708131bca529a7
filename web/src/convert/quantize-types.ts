// The options and results of quantization.

import type { Problem } from '../base/problem.ts';
import type { Agreement, ImageClassifierPlan, ImageInput } from '../image-classifier/types.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions } from '../sources/base/types.ts';
import type { QuantizeType, ScaleType } from '../wasm/tables.ts';
import type { ConversionReport, ConvertOptions } from './convert-types.ts';

export type { QuantizeType };

/** How many weights may share a scale in AMB. 0 stands for all weights of a tensor. */
export const blockSizes = [0, 32, 128] as const;
export type BlockSize = (typeof blockSizes)[number];

/** How to store a model in fewer bits. The target's format decides which types there are. EMBD has `int8` (one scale a
 *  row), `f16` and `bf16`. AMB has `int8` to `adaptive`. tinyRuntime has `dq8` and `sq8`. finalfusion has the types with
 *  `pq`. GGUF has `q8_0` and `q2_k` to `q6_k`; a matrix whose rows are no whole number of blocks becomes q8_0 or f16, with a
 *  warning. Some matrices of a `q2_k`, `q3_k` or `q5_k` have more bits. In EMBD, AMB and GGUF, vectors (norms, biases) keep their type. */
export interface QuantizeSettings {
  readonly type: QuantizeType;
  /** AMB: the number of weights that share a scale. Default: 32. With `int8`, `int4` and `int5`, 0 stands for all weights
   *  of a tensor. */
  readonly block?: BlockSize;
  /** AMB: the type of scales. Default: fp16, and fp32 for tensors with a scale that fp16 cannot hold. */
  readonly scale?: ScaleType;
  /** `adaptive`: the mean number of bits per weight, with scales (default 5.5). Word vectors: the number of bits of a
   *  code (default 8). */
  readonly bits?: number;
  /** `adaptive`, and `q2_k` to `q6_k`: texts to run the model on. They show how large the activations are that each weight is multiplied by, and
   *  an error counts by that. Without texts, all errors count the same. The whole of a text is run, in windows of the
   *  context or of 512 tokens. A source that does not run as it is is kept in memory as AMB meanwhile. The bytes of a file of llama.cpp's
   *  llama-imatrix (GGUF, or the older form) take the place of texts. */
  readonly calibration?: string | readonly string[] | Uint8Array;
  /** Tensors that keep their type, by their names in the target. */
  readonly keep?: RegExp;
  /** AMB and GGUF: the embeddings keep their type. */
  readonly keepEmbeddings?: boolean;
  /** AMB and GGUF: the matrix that gives the logits keeps its type. */
  readonly keepOutput?: boolean;
  /** `dq8`: the number of weights that share a scale, where a layer's shape allows it. Default: 64. */
  readonly group?: number;
  /** `sq8`: images or tensors, as `classify` takes them, at least one. The network is run on them to measure the ranges of
   *  its activations. */
  readonly images?: readonly ImageInput[];
  /** `sq8`: the order of the layers of a network that is no residual network. */
  readonly plan?: ImageClassifierPlan | string;
  /** `dq8`: store no zero points. */
  readonly symmetric?: boolean;
  /** Word vectors: the number of codes per vector. Default: half of the dimensions. */
  readonly subquantizers?: number;
  /** Word vectors: the number of k-means iterations. Default: 100. */
  readonly iterations?: number;
  /** Word vectors: how often k-means starts anew. The best result is used. Default: 1. */
  readonly attempts?: number;
  /** Word vectors: the seed of the random numbers. Default: 0. */
  readonly seed?: number;
  /** Word vectors: the number of rows to train on. Default: as many as fit into 64 MiB. */
  readonly sample?: number;
}

/** The defaults of options that are absent. */
export const quantizeDefaults = {
  block: 32,
  group: 64,
  iterations: 100,
  attempts: 1,
  seed: 0,
} as const satisfies Omit<QuantizeSettings, 'type'>;

/** The defaults of `bits`: per weight for `adaptive`, and per code for word vectors. */
export const bitDefaults = { adaptive: 5.5, code: 8 } as const;

export interface QuantizeOptions
  extends QuantizeSettings,
    Pick<ConvertOptions, 'from' | 'arch' | 'lowercase' | 'lossy'>,
    JobOptions,
    RuntimeOptions,
    FetchOptions {
  /** The target's format. Default: the format of the source. */
  readonly to?: string;
  /** EMBD: metadata to add or replace in the target. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Texts on which the outputs of encoders and language models are compared, before and after. Default: a built-in set. An
   *  empty list compares nothing. Image classifiers are compared on `images`. */
  readonly texts?: readonly string[];
  readonly onWarning?: (warning: Problem) => void;
}

/** Node only: writes the target to a file. */
export interface QuantizeToFileOptions extends QuantizeOptions {
  readonly output: string;
}

/** How similar the outputs are before and after. */
export type OutputAgreement = EmbeddingAgreement | TokenAgreement | AnswerAgreement;

/** For a sentence encoder: cosines between the embeddings of the texts before and after. */
export interface EmbeddingAgreement {
  readonly kind: 'embeddings';
  readonly texts: number;
  readonly meanCosine: number;
  readonly leastCosine: number;
}

/** For a language model: compares the predicted next token after each token. Of each text, the first 256 tokens are
 *  used, or as many as the context holds. */
export interface TokenAgreement {
  readonly kind: 'tokens';
  readonly texts: number;
  readonly tokens: number;
  /** The number of tokens after which both models predict the same token. */
  readonly sameToken: number;
  /** The perplexity of the texts, before and after. */
  readonly perplexity: readonly [number, number];
}

/** For an image classifier: compares the answers for the given images. */
export interface AnswerAgreement extends Agreement {
  readonly kind: 'answers';
}

export interface Quantized {
  /** The target file. Null when it was written to a file. */
  readonly blob: Blob | null;
  readonly report: ConversionReport | null;
  /** Null when the model cannot run, or when its source can be read only once. */
  readonly agreement: OutputAgreement | null;
}
