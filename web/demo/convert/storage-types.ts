// The number types that each target format can store.

export interface StorageType {
  /** The `type` of a quantization or the `dtype` of a conversion. Empty: as in the source. */
  readonly value: string;
  readonly label: string;
  /** Whether this is a quantization, which has settings of its own. */
  readonly quantizes?: boolean;
  readonly hasBlocks?: boolean;
  readonly hasBits?: boolean;
  /** Whether it needs pictures for calibration. */
  readonly hasImages?: boolean;
}

const asStored: StorageType = { value: '', label: 'As in the source' };

const floats: readonly StorageType[] = [
  { value: 'f32', label: '32-bit floats' },
  { value: 'f16', label: '16-bit floats (f16)' },
  { value: 'bf16', label: '16-bit floats (bf16)' },
];

const storageTypes: Readonly<Record<string, readonly StorageType[]>> = {
  amb: [
    asStored,
    ...floats,
    { value: 'int8', label: '8-bit integers', quantizes: true },
    { value: 'int5', label: '5-bit integers', quantizes: true },
    { value: 'int4', label: '4-bit integers', quantizes: true },
    { value: 'int5_block', label: '5-bit blocks', quantizes: true, hasBlocks: true },
    { value: 'int4_block', label: '4-bit blocks', quantizes: true, hasBlocks: true },
    {
      value: 'adaptive',
      label: 'Blocks with a bit budget',
      quantizes: true,
      hasBlocks: true,
      hasBits: true,
    },
  ],
  alt: [asStored, ...floats],
  embd: [asStored, ...floats, { value: 'int8', label: '8-bit integers', quantizes: true }],
  finalfusion: [
    asStored,
    { value: 'pq', label: 'Product quantization', quantizes: true },
    { value: 'opq', label: 'Product quantization with rotation', quantizes: true },
    {
      value: 'gaussian_opq',
      label: 'Product quantization with rotation by variance',
      quantizes: true,
    },
  ],
  gguf: [asStored, ...floats],
  safetensors: [asStored, ...floats],
  tinyruntime: [
    asStored,
    { value: 'dq8', label: '8-bit groups (DQ8)', quantizes: true },
    { value: 'sq8', label: '8-bit throughout (SQ8)', quantizes: true, hasImages: true },
  ],
};

export function storageTypesOf(format: string): readonly StorageType[] {
  return storageTypes[format] ?? [asStored];
}

export function storageTypeOf(format: string, value: string): StorageType {
  return storageTypesOf(format).find((type) => type.value === value) ?? asStored;
}
