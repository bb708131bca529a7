// The types of values, as far as an ONNX file states them.

import type { OnnxGraph, OnnxValue } from 'ambry';

/** `float batch × 4` */
export function typeText({ dtype, shape }: OnnxValue): string {
  const extents = shape?.map((extent) => extent ?? '?').join(' × ');
  return [dtype, extents === '' ? 'scalar' : extents].filter(Boolean).join(' ');
}

export function typesOf({ values, inputs, outputs }: OnnxGraph): ReadonlyMap<string, string> {
  const stated = [...values, ...inputs, ...outputs].map(
    (value) => [value.name, typeText(value)] as const,
  );
  return new Map(stated.filter(([, type]) => type !== ''));
}
