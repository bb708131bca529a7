// The first values of a tensor, read from its bytes. Types of blocks are not read: their values need their scales.

const half = (bits: number): number => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) {
    return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  }
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
};

function brainFloat(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, bits << 16);
  return view.getFloat32(0);
}

interface Reader {
  readonly bytes: number;
  readonly read: (view: DataView, at: number) => number | bigint;
}

/** All formats store these types with the lowest byte first. */
const readers: Readonly<Record<string, Reader>> = {
  f64: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  f32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  f16: { bytes: 2, read: (view, at) => half(view.getUint16(at, true)) },
  bf16: { bytes: 2, read: (view, at) => brainFloat(view.getUint16(at, true)) },
  i64: { bytes: 8, read: (view, at) => view.getBigInt64(at, true) },
  i32: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  i16: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  i8: { bytes: 1, read: (view, at) => view.getInt8(at) },
  u64: { bytes: 8, read: (view, at) => view.getBigUint64(at, true) },
  u32: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  u16: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  u8: { bytes: 1, read: (view, at) => view.getUint8(at) },
};

/** The bytes of one value; null for types whose values are not read here. */
export const valueBytes = (dtype: string): number | null => readers[dtype]?.bytes ?? null;

/** The values as texts. Values that are cut off at the end are left out. */
export function valuesOf(dtype: string, bytes: Uint8Array): string[] {
  const reader = readers[dtype];
  if (reader === undefined) {
    return [];
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / reader.bytes) }, (_, i) => {
    const value = reader.read(view, i * reader.bytes);
    return typeof value === 'number' ? String(Number(value.toPrecision(6))) : String(value);
  });
}
