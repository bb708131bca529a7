// The options and results of conversion.

import type { Problem } from '../base/problem.ts';
import type { ImageClassifierPlan } from '../image-classifier/types.ts';
import type { Adapters } from '../model/adapter-types.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions } from '../sources/base/types.ts';
import type { VocabularyOptions } from '../tokenizer/types.ts';
import type { FormatId, TargetDType } from '../wasm/tables.ts';

export { architectures } from '../wasm/tables.ts';

/** The heads that a conversion keeps if it is told to. */
export const keptHeads = ['fillMask', 'sparseEncoder'] as const;
export type KeptHead = (typeof keptHeads)[number];

export interface ConvertOptions
  extends JobOptions,
    RuntimeOptions,
    FetchOptions,
    VocabularyOptions {
  /** The target's format. Default: `embd`. The format of the source writes the content again, as a strict file. */
  readonly to?: string;
  /** The source's format. A source of another format is refused. Some files need this, because their bytes do not show
   *  their format. */
  readonly from?: string;
  /** The model's architecture (one of `architectures`), if the source does not state it. */
  readonly arch?: string;
  /** The task whose adapter is merged into the weights of an encoder that has adapters, such as `retrieval.query` of
   *  jina-embeddings-v3. A model without this adapter is refused. Default: no adapter. */
  readonly task?: string;
  /** LoRA adapters that are merged into the weights, as `open` merges them. Default: none. */
  readonly adapter?: Adapters;
  /** From a masked language model (`…ForMaskedLM`), to `embd`: `fillMask` keeps its head, so that the file opens with the kind
   *  `fillMask`, too. Default: the head is left out, since sentence vectors do not need it. `sparseEncoder` makes a sparse encoder
   *  of such a model, or of a directory with a `sparse_linear.pt`. */
  readonly head?: KeptHead;
  /** Leave out what the target cannot hold, and convert a source whose checksum is wrong, with a warning. Without this
   *  option, the conversion fails. Tensors that the model computes with are never left out. */
  readonly lossy?: boolean;
  /** Word vectors: multiply each row by its norm, if the source stores norms. */
  readonly unnormalize?: boolean;
  /** The type of weight matrices in the target. Default: as in the source. `int8` has one scale a row, in a tensor whose name
   *  ends with `.scale`. */
  readonly dtype?: TargetDType;
  /** Static encoders to `embd`: how many of the first numbers of each token's vector are kept. The result embeds texts to
   *  exactly the vectors that the whole model gives with the option `dim` of `embed`, and its file is smaller. Rows and their
   *  scales stay as they are stored. A number above the model's, and other models, are refused. Default: all. */
  readonly dim?: number;
  /** Metadata to add or replace in the target. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** To `finalfusion`: the metadata as TOML. They replace those of the source and are written byte for byte. */
  readonly metadataToml?: string;
  /** From finalfusion with quantized vectors, to `finalfusion`: write dense vectors. */
  readonly reconstruct?: boolean;
  /** From finalfusion with hashed n-grams: store each n-gram with its row. Metadata are left out. */
  readonly explicit?: boolean;
  /** From finalfusion: write only these words, in this order. A word that the file does not have gets its vector from its
   *  subwords, if the file has subwords. Metadata are left out. If the target stores no norms, rows keep their lengths. */
  readonly select?: WordSelection;
  /** Called with each thing that was left out or guessed. */
  readonly onWarning?: (warning: Problem) => void;
  /** Called at the end with what the conversion changed in each tensor. */
  readonly onReport?: (report: ConversionReport) => void;
}

/** The defaults of options that are absent. */
export const convertDefaults = { to: 'embd' } as const satisfies { readonly to: FormatId };

export interface WordSelection {
  readonly words: readonly string[];
  /** Leave out words that get no vector. Without this option, they fail with `NotFound`. */
  readonly ignoreUnknown?: boolean;
}

/**
 * What a conversion changed in one tensor. Sizes are in bytes, and types are named as in `inspect`; weights that a library has
 * quantized are named by it and their bits (`gptq 4-bit`).
 */
export interface TensorChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** 0 for a tensor that the source does not have, such as scales. */
  readonly bytesBefore: number;
  readonly bytes: number;
  readonly maxAbsError: number;
  /** The norm of the difference divided by the norm of the original. Null when the original is zero. */
  readonly relativeError: number | null;
  /** The cosine between the original and the result as vectors. */
  readonly cosine: number;
  /** What became of the codes of weights that a library has quantized. Absent for other weights. */
  readonly note?: string;
}

export interface ConversionReport {
  /** The sum over all tensors. */
  readonly bytesBefore: number;
  readonly bytes: number;
  readonly tensors: readonly TensorChange[];
  /** For a network that becomes a tinyRuntime file, which cannot hold its graph: the plan with which it runs. */
  readonly plan?: ImageClassifierPlan;
  /** For quantized word vectors: the cosine and the distance between each row and its original. */
  readonly vectors?: {
    readonly rows: number;
    readonly cosine: { readonly mean: number; readonly deviation: number };
    readonly distance: { readonly mean: number; readonly deviation: number };
  };
}

/** The formats that a source can be converted to. */
export interface ConversionTargets {
  /** The format of the source, or a kind of file that can only be read by conversions (`word2vec`, …). */
  readonly from: string;
  readonly targets: readonly {
    /** The value for the option `to`. */
    readonly to: string;
    /** Why this source cannot be converted to this format. Null if it can. */
    readonly problem: Problem | null;
  }[];
}

/** Node only: writes the target to a file. The file appears when it is complete. */
export interface ConvertToFileOptions extends ConvertOptions {
  readonly output: string;
}
