// Reads a file's facts and the bytes of some small tensors of it, in one go.
import { AmbryError } from '../base/errors.ts';
import { withLargeIntegers } from '../model/large-integers.ts';
import type { ReadTensors, TensorCalls } from '../model/protocol.ts';
import { withParts } from '../runtime/worker-parts.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { InspectModule, PartialSource } from '../wasm/module.mjs';
import type { Inspection } from './inspect-types.ts';

export async function readTensors(
  module: InspectModule,
  source: ByteSource,
  { names, most }: Omit<TensorCalls['readTensors']['in'], 'source'>,
): Promise<ReadTensors> {
  const look = (parts: PartialSource) => module.inspect(parts, false);
  const info = withLargeIntegers((await withParts(module, source, look, true)) as Inspection);
  const bytes = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [i, { name, offset, bytes: size }] of info.tensors.entries()) {
    if (!names.includes(name)) {
      continue;
    }
    const place = { path: `tensors[${i}]`, byteOffset: offset };
    if (size > most) {
      const message = `The tensor ${name} has ${size} bytes; at most ${most} are read.`;
      throw new AmbryError('LimitExceeded', message, place);
    }
    const read = await readAt(source, offset, size);
    if (read.length < size) {
      const message = `The file ends within the tensor ${name}.`;
      throw new AmbryError('Truncated', message, place);
    }
    bytes.set(name, read);
  }
  const header = info.regions.find(({ name }) => name === 'header');
  return { info, headerOffset: header?.offset ?? 0, bytes };
}

async function readAt(
  source: ByteSource,
  offset: number,
  size: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const end = Math.min(offset + size, source.size ?? Number.POSITIVE_INFINITY);
  return end > offset ? new Uint8Array(await source.read(offset, end - offset)) : new Uint8Array();
}
