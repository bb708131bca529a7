// Whether a source is an ONNX file. Only the worker for such files reads them, so that no other one grows.
import { isOnnx } from './base/onnx-name.ts';
import type { NamedSource, WireSource } from './base/wire.ts';

/** Looks at the name, or at the first bytes of what is in memory. Nothing is requested. */
export async function isOnnxSource(wire: WireSource): Promise<boolean> {
  switch (wire.kind) {
    case 'url':
      return isOnnx(wire.url.replace(/[?#].*$/, ''));
    case 'path':
      return isOnnx(wire.path);
    case 'blob':
      return beginsAsOnnx(new Uint8Array(await wire.blob.slice(0, 3).arrayBuffer()));
    case 'bytes':
      return beginsAsOnnx(wire.bytes);
    case 'stream':
      return beginsAsOnnx(wire.head);
    case 'parts':
      return false;
  }
}

/** Whether one of the files with weights is ONNX. */
export async function haveOnnx(weights: readonly NamedSource[]): Promise<boolean> {
  const found = weights.map(({ name, source }) =>
    name === '' ? isOnnxSource(source) : isOnnx(name),
  );
  return (await Promise.all(found)).includes(true);
}

/** A model goes on with one of these fields. */
const laterFields = [0x12, 0x1a, 0x22, 0x28, 0x32, 0x3a, 0x42];

/** The version of the format (field 1), and then the program that wrote it, the graph or the operators (fields 2 to 8), as the
 *  core knows it (core/formats/onnx/onnx_probe.cpp). */
export function beginsAsOnnx([first, version = 0, next = 0]: Uint8Array): boolean {
  return first === 0x08 && version >= 1 && version <= 64 && laterFields.includes(next);
}
