// The types of numbers that each format can store, as the page offers them.

export interface Storage {
  /** `type` of a quantisation, or `dtype` of a conversion; empty: as in the source. */
  readonly value: string;
  readonly label: string;
  /** Whether it is reached by quantising, which has settings of its own. */
  readonly quantizes?: boolean;
  readonly hasBlocks?: boolean;
  readonly hasBits?: boolean;
  /** Whether a run over pictures comes first. */
  readonly hasImages?: boolean;
}

const kAsStored: Storage = { value: '', label: 'As in the source' };

const kFloats: readonly Storage[] = [
  { value: 'f32', label: '32-bit floats' },
  { value: 'f16', label: '16-bit floats (f16)' },
  { value: 'bf16', label: '16-bit floats (bf16)' },
];

const kStorages: Readonly<Record<string, readonly Storage[]>> = {
  amb: [
    kAsStored,
    ...kFloats,
    { value: 'int8', label: '8-bit integers', quantizes: true },
    { value: 'int5', label: '5-bit integers', quantizes: true },
    { value: 'int4', label: '4-bit integers', quantizes: true },
    { value: 'int5_block', label: '5-bit blocks', quantizes: true, hasBlocks: true },
    { value: 'int4_block', label: '4-bit blocks', quantizes: true, hasBlocks: true },
    {
      value: 'adaptive',
      label: 'Blocks within a budget of bits',
      quantizes: true,
      hasBlocks: true,
      hasBits: true,
    },
  ],
  alt: [kAsStored, ...kFloats],
  embd: [kAsStored, ...kFloats, { value: 'int8', label: '8-bit integers', quantizes: true }],
  finalfusion: [
    kAsStored,
    { value: 'pq', label: 'Product quantization', quantizes: true },
    { value: 'opq', label: 'Product quantization, rotated', quantizes: true },
    { value: 'gaussian_opq', label: 'Product quantization, rotated by variance', quantizes: true },
  ],
  gguf: [kAsStored, ...kFloats],
  safetensors: [kAsStored, ...kFloats],
  tinyruntime: [
    kAsStored,
    { value: 'dq8', label: '8-bit groups (DQ8)', quantizes: true },
    { value: 'sq8', label: '8-bit throughout (SQ8)', quantizes: true, hasImages: true },
  ],
};

export function storagesOf(format: string): readonly Storage[] {
  return kStorages[format] ?? [kAsStored];
}

export function storageOf(format: string, value: string): Storage {
  return storagesOf(format).find((storage) => storage.value === value) ?? kAsStored;
}
