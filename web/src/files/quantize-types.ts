// Storing a model in fewer bits.
import type { Agreement, ClassifierInput, ClassifierPlan } from '../classifier/types.ts';
import type { Problem } from '../problem.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { RuntimeOptions } from '../runtime/types.ts';
import type { FetchOptions } from '../sources/types.ts';
import type { QuantizeType, ScaleType } from '../wasm/tables.ts';
import type { ConversionReport, ConvertOptions } from './convert-types.ts';

export type { QuantizeType };

/** How many numbers may share a scale in AMB; 0: all of a tensor. */
export const blockSizes = [0, 32, 128] as const;
export type BlockSize = (typeof blockSizes)[number];

/** How to store a model in fewer bits. Which types there are depends on the target's format: EMBD has int8
 *  (a scale a row), f16 and bf16; AMB int8 to adaptive; tinyRuntime dq8 and sq8; finalfusion those with pq. In EMBD
 *  and AMB vectors (norms, biases) keep their type. */
export interface QuantizeSettings {
  readonly type: QuantizeType;
  /** AMB: numbers that share a scale; 32 when absent. 0, for int8, int4 and int5: all of a tensor. */
  readonly block?: BlockSize;
  /** AMB: how scales are stored. When absent fp16, but fp32 for tensors with a scale that does not fit. */
  readonly scale?: ScaleType;
  /** `adaptive`: bits a weight, scales included, over all its tensors; 5.5 when absent. Word vectors: bits
   *  of a code. */
  readonly bits?: number;
  /** `adaptive`: what the model is run over, as it is stored, to see how large the numbers are that each weight
   *  meets; errors count by that. All of a text is run, in windows of the context or 512 tokens. A source that
   *  is neither AMB nor ALT is held in memory as AMB meanwhile. Without it all errors count the same. */
  readonly calibration?: string | readonly string[];
  /** Tensors, by their names in the target, that keep their type. */
  readonly keep?: RegExp;
  /** AMB: the same for embeddings, and for the matrix before the logits. */
  readonly keepEmbeddings?: boolean;
  readonly keepOutput?: boolean;
  /** `dq8`: weights that share a scale, where a layer's form allows it; 64 when absent. */
  readonly group?: number;
  /** `sq8`: what the network is run over to see the ranges of its numbers: tensors or pictures, as `classify`
   *  takes them. At least one. */
  readonly images?: readonly ClassifierInput[];
  /** `sq8`: how its layers follow one another, where it is no residual network. */
  readonly plan?: ClassifierPlan | string;
  /** `dq8`: without zero points. */
  readonly symmetric?: boolean;
  /** Word vectors: codes a vector (half the dimensions when absent), how they are trained, the seed of what
   *  is random in that, and on how many rows (as many as fit 64 MiB). */
  readonly subquantizers?: number;
  readonly iterations?: number;
  readonly attempts?: number;
  readonly seed?: number;
  readonly sample?: number;
}

/** What applies where an option is absent. */
export const quantizeDefaults = {
  block: 32,
  group: 64,
  iterations: 100,
  attempts: 1,
  seed: 0,
} as const satisfies Omit<QuantizeSettings, 'type'>;

/** What applies where `bits` is absent: bits a weight for `adaptive`, and bits of a code for word vectors. */
export const bitDefaults = { adaptive: 5.5, code: 8 } as const;

export interface QuantizeOptions
  extends QuantizeSettings,
    Pick<ConvertOptions, 'from' | 'arch' | 'lossy'>,
    JobOptions,
    RuntimeOptions,
    FetchOptions {
  /** Target format; the source's own when absent. */
  readonly to?: string;
  /** Metadata to add or replace in the target; EMBD. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Texts to compare the output of encoders and language models on, before and after: a built-in set when
   *  absent; none with an empty list. Networks for pictures are compared on `images`. */
  readonly texts?: readonly string[];
  readonly onWarning?: (warning: Problem) => void;
}

/** Node only. */
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
