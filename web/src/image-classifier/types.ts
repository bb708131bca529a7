// The types of image classifiers (tinyRuntime's networks).

import type { LabelOptions, LabelScore } from '../model/classify-types.ts';
import type { Pixels } from '../platform/types.ts';
import { quantizations } from '../wasm/tables.ts';

/** An operation, its numbers, its operands, the name of its result, and for SQ8 the activations that quantize the
 *  result: `['conv', 0, 'x', 'a']`, `['maxpool', 3, 2, 1, 'a', 'a']`. */
export type PlanNode = readonly (
  | string
  | number
  | { readonly quantize: number | readonly number[] }
)[];

/** The facts that tinyRuntime's files do not have: how layers are connected, how a picture becomes the input, and the
 *  labels of the classes. Residual networks need no plan. `x` is the input. Numbers of convs, linear layers and batch
 *  norms are their indices in the file's tables. */
export interface ImageClassifierPlan {
  /** Channels, height, width. */
  readonly input: readonly [number, number, number];
  readonly nodes?: readonly PlanNode[];
  /** Replaces `nodes` by a chain. Each layer is the next one of its table: `['conv', 'relu', 'maxpool:2:2:0', 'conv',
   *  'tail']`. */
  readonly ops?: readonly string[];
  /** The result of the last node when absent. */
  readonly output?: string;
  /** How a picture is normalized. ImageNet's values by default for inputs of three channels. Other inputs need this
   *  to accept pictures. */
  readonly image?: {
    readonly mean: readonly number[];
    readonly std: readonly number[];
    /** `crop` cuts the middle of the picture to the proportions of the input, `stretch` scales both axes; `crop` when
     *  absent. */
    readonly resize?: 'crop' | 'stretch';
  };
  readonly labels?: readonly string[];
}

/** What a network's weights are: floats, or quantized in one of the ways that there are. */
export const networkVariants = ['vanilla', ...quantizations.tinyruntime] as const;
export type NetworkVariant = (typeof networkVariants)[number];

export interface ImageClassifierInfo {
  readonly variant: NetworkVariant;
  /** Whether the network's graph is known without a plan. */
  readonly plan: 'given' | 'derived' | 'needed';
  readonly input: readonly [number, number, number] | null;
  readonly classes: number | null;
}

/** A tensor of normalized values, channel by channel; or pixels; or a picture. A picture is the bytes of a file
 *  (PNG, JPEG, WebP, and in browsers every type that they support), or in browsers a bitmap, a canvas, an image or a
 *  video. */
export type ImageInput = Float32Array | Pixels | Blob | Uint8Array | ArrayBuffer | PictureSource;
/** For browsers only. */
export type PictureSource = ImageBitmap | OffscreenCanvas | EventTarget;

export interface ClassifyImageOptions extends LabelOptions {
  /** A plan or its JSON. Later calls use it, too. */
  readonly plan?: ImageClassifierPlan | string;
  /** `fast` rounds the floats of vanilla networks differently from the reference: it may round a product and a sum once, and computes
   *  3 × 3 convolutions with fewer products. Logits of ResNet-18 differ by about 1e-6 of the largest. Quantized networks are always
   *  exact. */
  readonly mode?: 'exact' | 'fast';
}

export interface RunImageOptions extends ClassifyImageOptions {
  /** Return checksums of all intermediate results. */
  readonly trace?: boolean;
  /** Return what the network computes: the input as the network takes it, and the result of each layer. */
  readonly activations?: boolean;
}

export interface ClassifiedLayer {
  readonly op: string;
  /** The index in the table of its kind. */
  readonly index: number;
  readonly shape: readonly [number, number, number];
  readonly milliseconds: number;
}

/** The results in the order of execution: of the nodes, and of quantization (`quantize`). */
export interface TraceEntry {
  readonly op: string;
  readonly index?: number;
  readonly shape?: readonly [number, number, number];
  readonly dtype: 'f32' | 'u8' | 'i8';
  /** The CRC-32 of the values in memory. */
  readonly crc32: string;
  readonly first: readonly number[];
  readonly scale?: number;
  readonly zeroPoint?: number;
  /** For DQ8: facts about the quantized input of a layer. */
  readonly count?: number;
  readonly group?: number;
  readonly scaleCrc32?: string;
  readonly zeroPointCrc32?: string;
}

/** What a network computes at one place, as floats. */
export interface Activation {
  /** `input`, or the operation of the layer. */
  readonly op: string;
  /** The index in the table of its kind. */
  readonly index: number;
  readonly shape: readonly [number, number, number];
  /** How many channels are in `values`, from the first on. Fewer than there are if a layer has more than 65,536 values, or all
   *  layers together more than 4,194,304. */
  readonly channels: number;
  /** Channel by channel, row by row. */
  readonly values: Float32Array;
}

/** One run of a network. */
export interface ImageRun {
  /** A number for each class, before they become probabilities. */
  readonly logits: readonly number[];
  /** What `classify` returns. */
  readonly labels: readonly LabelScore[];
  readonly layers: readonly ClassifiedLayer[];
  readonly trace?: readonly TraceEntry[];
  /** The input first, then a result for each of `layers`. */
  readonly activations?: readonly Activation[];
}

/** The answers of two variants of a network to one input. */
export interface AgreementOnInput {
  /** The most probable class of each variant. */
  readonly answers: readonly [number, number];
  /** The largest difference between the logits of a class. */
  readonly difference: number;
}

/** How well two variants of a network agree. */
export interface Agreement {
  readonly inputs: number;
  /** The number of inputs for which both find the same class. */
  readonly sameAnswer: number;
  readonly largestDifference: number;
  readonly meanDifference: number;
  /** In the order of the inputs. */
  readonly each: readonly AgreementOnInput[];
}
