// Classifying pictures with networks of tinyRuntime's.
import type { JobOptions } from '../rpc/types.ts';
import type { Pixels } from '../runtime/types.ts';

/** An operation, its numbers, its operands, the name of its result, and for SQ8 the activations that turn
 *  the result into bytes: `['conv', 0, 'x', 'a']`, `['maxpool', 3, 2, 1, 'a', 'a']`. */
export type PlanNode = readonly (
  | string
  | number
  | { readonly quantize: number | readonly number[] }
)[];

/**
 * What tinyRuntime's files do not hold: how values flow from layer to layer, how a picture becomes the input,
 * what the outputs are called. Residual networks need none. `x` is the input; numbers of convs, linear layers
 * and batch norms are their places in the file's tables.
 */
export interface ClassifierPlan {
  /** Channels, height, width. */
  readonly input: readonly [number, number, number];
  readonly nodes?: readonly PlanNode[];
  /** Instead of `nodes`, a chain in which each layer is the next of its table: `['conv', 'relu',
   *  'maxpool:2:2:0', 'conv', 'tail']`. */
  readonly ops?: readonly string[];
  /** The last node's result when absent. */
  readonly output?: string;
  /** ImageNet’s for inputs of three channels when absent; without it other inputs take no pictures. */
  readonly image?: {
    readonly mean: readonly number[];
    readonly std: readonly number[];
    /** Cut to the middle in the form of the input, or stretched to it; `crop` when absent. */
    readonly resize?: 'crop' | 'stretch';
  };
  readonly labels?: readonly string[];
}

export interface ClassifierInfo {
  readonly variant: 'vanilla' | 'dq8' | 'sq8';
  /** Whether the network's graph is known without a plan. */
  readonly plan: 'given' | 'derived' | 'needed';
  readonly input: readonly [number, number, number] | null;
  readonly classes: number | null;
}

/** A tensor of normalised numbers, channel by channel; pixels; or a picture: the bytes of a file (PNG, JPEG,
 *  WebP, in browsers whatever they show), or in browsers a bitmap, a canvas, an image or a video's frame. */
export type ClassifierInput =
  | Float32Array
  | Pixels
  | Blob
  | Uint8Array
  | ArrayBuffer
  | PictureSource;
/** In browsers; of no meaning in Node. */
export type PictureSource = ImageBitmap | OffscreenCanvas | EventTarget;

export interface ClassifyOptions extends JobOptions {
  /** Classes to name; 5 when absent. */
  readonly topK?: number;
  /** An object, or its JSON; stays in use for further calls. */
  readonly plan?: ClassifierPlan | string;
  /** `fast`: floats of vanilla networks may be rounded once where the reference rounds twice. Quantised
   *  networks are exact always. */
  readonly mode?: 'exact' | 'fast';
  /** Checksums of everything that was worked out. */
  readonly trace?: boolean;
}

export interface ClassifiedLayer {
  readonly op: string;
  /** In the table of its kind. */
  readonly index: number;
  readonly shape: readonly [number, number, number];
  readonly milliseconds: number;
}

/** In the order of work: results of nodes, and what quantisation made (`quantize`). */
export interface TraceEntry {
  readonly op: string;
  readonly index?: number;
  readonly shape?: readonly [number, number, number];
  readonly dtype: 'f32' | 'u8' | 'i8';
  /** Of the numbers in memory. */
  readonly crc32: string;
  readonly first: readonly number[];
  readonly scale?: number;
  readonly zeroPoint?: number;
  /** DQ8: of the codes that a layer's input became. */
  readonly count?: number;
  readonly group?: number;
  readonly scaleCrc32?: string;
  readonly zeroPointCrc32?: string;
}

export interface ClassScore {
  readonly index: number;
  readonly probability: number;
  readonly label?: string;
}

export interface Classification {
  readonly logits: readonly number[];
  /** The likeliest first. */
  readonly top: readonly ClassScore[];
  readonly layers: readonly ClassifiedLayer[];
  readonly trace?: readonly TraceEntry[];
}

/** What two variants of a network make of one input. */
export interface AgreementOnInput {
  /** The likeliest class of each. */
  readonly answers: readonly [number, number];
  /** The largest between two logits of a class. */
  readonly difference: number;
}

/** How well two variants of a network agree. */
export interface Agreement {
  readonly inputs: number;
  /** For so many of them both find the same class likeliest. */
  readonly sameAnswer: number;
  readonly largestDifference: number;
  readonly meanDifference: number;
  /** In the order of the inputs. */
  readonly each: readonly AgreementOnInput[];
}
