// The number types that each target format can store.

import { floatTypes, type QuantizeType, quantizations, type TargetDType } from 'ambry/tables';

interface StorageType {
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

type TypeName = TargetDType | QuantizeType;

const asStored: StorageType = { value: '', label: 'As in the source' };

/** In the order of the page. */
const descriptions: Readonly<Record<TypeName, Omit<StorageType, 'value' | 'quantizes'>>> = {
  f32: { label: '32-bit floats' },
  f16: { label: '16-bit floats (f16)' },
  bf16: { label: '16-bit floats (bf16)' },
  int8: { label: '8-bit integers' },
  int5: { label: '5-bit integers' },
  int4: { label: '4-bit integers' },
  int5_block: { label: '5-bit blocks', hasBlocks: true },
  int4_block: { label: '4-bit blocks', hasBlocks: true },
  q8_0: { label: '8-bit blocks (Q8_0)' },
  q6_k: { label: '6-bit super-blocks (Q6_K)' },
  q5_k: { label: '5-bit super-blocks (Q5_K)' },
  q4_k: { label: '4-bit super-blocks (Q4_K)' },
  q3_k: { label: '3-bit super-blocks (Q3_K)' },
  q2_k: { label: '2-bit super-blocks (Q2_K)' },
  adaptive: { label: 'Blocks with a bit budget', hasBlocks: true, hasBits: true },
  pq: { label: 'Product quantization' },
  opq: { label: 'Product quantization with rotation' },
  gaussian_opq: { label: 'Product quantization with rotation by variance' },
  dq8: { label: '8-bit groups (DQ8)' },
  sq8: { label: '8-bit throughout (SQ8)', hasImages: true },
};

type TypesByFormat = Readonly<Record<string, readonly TypeName[]>>;
const floatsByFormat: TypesByFormat = floatTypes;
const quantizedByFormat: TypesByFormat = quantizations;

export function storageTypesOf(format: string): readonly StorageType[] {
  const floats = floatsByFormat[format] ?? [];
  const quantized = quantizedByFormat[format] ?? [];
  const names = Object.keys(descriptions) as TypeName[];
  return [
    asStored,
    ...names
      .filter((name) => floats.includes(name) || quantized.includes(name))
      .map((value) => ({ value, ...descriptions[value], quantizes: !floats.includes(value) })),
  ];
}

export function storageTypeOf(format: string, value: string): StorageType {
  return storageTypesOf(format).find((type) => type.value === value) ?? asStored;
}
