// Says before a conversion that its target is larger than the source, and which option keeps it small.
import type { Problem } from '../base/problem.ts';
import { unwrap } from '../runtime/worker-heap.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { Conversion, ConvertModule } from '../wasm/module.mjs';
import { floatTypes } from '../wasm/tables.ts';
import type { ConversionReport } from './convert-types.ts';
import type { ConversionSettings } from './protocol.ts';

/** Files that grow by less are not worth a warning. */
const leastBytes = 1_000_000;
const leastRatio = 1.25;
const halves: readonly string[] = ['f16', 'bf16'];

/** Undefined if the target does not grow much, or if the caller has chosen the type. */
export async function growthWarning(
  module: ConvertModule,
  conversion: Conversion,
  sources: readonly ByteSource[],
  { to, dtype, quantize }: ConversionSettings,
): Promise<Problem | undefined> {
  const { totalBytes } = unwrap(module.conversionFacts(conversion));
  let before = 0;
  for (const source of sources) {
    before += await source.measure();
  }
  const isChosen = dtype !== undefined || quantize !== undefined;
  if (isChosen || totalBytes < before + leastBytes || totalBytes < before * leastRatio) {
    return undefined;
  }
  const report = unwrap(module.conversionReport(conversion)) as ConversionReport | null;
  const grown = (report?.tensors ?? []).filter(({ bytes, bytesBefore }) => bytes > bytesBefore);
  const why = typesOf(grown);
  const message = `The target takes ${size(totalBytes)} and the source ${size(before)}${why}.${adviceFor(to, totalBytes, grown)}`;
  return { code: 'Unsupported', message, path: 'options.dtype' };
}

type Tensors = ConversionReport['tensors'];

/** `, as its weights become f32 (before: int8)` */
function typesOf(grown: Tensors): string {
  const distinct = (names: readonly string[]) => [...new Set(names)].join(', ');
  if (grown.length === 0) {
    return '';
  }
  const [from, to] = [distinct(grown.map((t) => t.from)), distinct(grown.map((t) => t.to))];
  return `: the weights become ${to} (before: ${from})`;
}

function adviceFor(to: string, totalBytes: number, grown: Tensors): string {
  const known: Readonly<Record<string, readonly string[]>> = floatTypes;
  const half = halves.find((type) => known[to]?.includes(type));
  const wide = grown.filter((tensor) => tensor.to === 'f32');
  if (half === undefined || wide.length === 0) {
    return '';
  }
  const saved = wide.reduce((sum, { bytes }) => sum + bytes / 2, 0);
  return ` With the dtype ${half} it takes about ${size(totalBytes - saved)}; quantize makes it smaller still.`;
}

function size(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
