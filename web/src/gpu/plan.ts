// What the core says of running a model on a device (core/infer/decoder/plan/device_plan.h).

/** The types of weights that kernels read, in the order of the core's list. */
export const weightTypes = [
  'f32',
  'f16',
  'bf16',
  'q8_0',
  'q4_0',
  'q4_k',
  'q6_k',
  'int8',
  'int4_block',
] as const;
export type WeightType = (typeof weightTypes)[number];

export interface PlannedMatrix {
  /** The number of the tensor in the file. */
  readonly tensor: number;
  readonly type: WeightType;
  readonly rows: number;
  readonly cols: number;
  /** Multiplies all values. */
  readonly factor: number;
  /** Whether the file has [cols, rows]. */
  readonly transposed: boolean;
  /** For int8 and int4_block: values that share a scale (0: all of them), and where scales and codes lie. */
  readonly block: number;
  readonly scaleBytes: number;
  readonly scalesAt: number;
  readonly codesAt: number;
}

/** The buffers of rows, in the order of the core's list. */
export const bufferNames = [
  'hidden',
  'attended',
  'normed',
  'out',
  'picked',
  'query',
  'context',
  'gate',
  'key',
  'value',
  'wide',
  'up',
  'fused',
  'logits',
] as const;
export type BufferName = (typeof bufferNames)[number];

/** How many buffers the step of a kernel names, in the order of the core's list. */
export const kernelBuffers = {
  copy: 2,
  add: 2,
  scale: 1,
  cap: 1,
  take: 2,
  temper: 1,
  gate: 3,
  activate: 1,
  norm: 2,
  rotate: 1,
  keep: 2,
  attend: 2,
  embed: 1,
  multiply: 2,
} as const;

export type PlannedStep = readonly [
  kernel: string,
  buffers: readonly BufferName[],
  numbers: readonly number[],
];

export interface DevicePlan {
  readonly norm: 'rms' | 'layer';
  readonly eps: number;
  readonly layers: number;
  /** Numbers of the keys of a token in one layer, and of its values. */
  readonly kvWidth: number;
  readonly context: number;
  /** Numbers of a row. */
  readonly buffers: Readonly<Record<BufferName, number>>;
  /** Addresses in the heap and lengths. */
  readonly vectors: readonly (readonly [address: number, count: number])[];
  readonly matrices: readonly PlannedMatrix[];
  /** Embeddings, attention and feed-forward layer of each layer, the last norm, the output. */
  readonly parts: readonly (readonly PlannedStep[])[];
}
