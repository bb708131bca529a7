// `inspect` and `validate` on the caller's side.

import { flag } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import type { Platform, WorkerName } from '../platform/platform.ts';
import { withWorker } from '../runtime/connect.ts';
import { sourceJobNames } from '../runtime/option-names.ts';
import type { ModelParts, ModelSource } from '../sources/base/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import { isOnnxSource } from '../sources/onnx-source.ts';
import { transferOf, wireSource } from '../sources/wire-source.ts';
import type { Inspection, InspectOptions } from './inspect-types.ts';
import type { InspectCalls } from './protocol.ts';
import type { ValidateOptions, ValidationReport } from './validate-types.ts';

const inspectOptionNames: OptionNames<InspectOptions> = { ...sourceJobNames, graph: flag };
export const validateOptionNames: OptionNames<ValidateOptions> = {
  ...sourceJobNames,
  strict: flag,
  checksums: flag,
  values: flag,
  context: flag,
};

export async function inspect(
  platform: Platform,
  source: ModelSource | ModelParts,
  options: InspectOptions,
): Promise<Inspection> {
  await refuseUnknown(options, inspectOptionNames);
  const wire = await wireSource(platform.locate, source, options);
  const { graph = false } = options;
  const worker = await inspectorOf(wire);
  return withWorker<InspectCalls, Inspection>(platform, options, worker, (channel) =>
    channel.call('inspect', { source: wire, graph }, { ...options, transfer: transferOf(wire) }),
  );
}

/** The worker that looks into the file. */
async function inspectorOf(wire: WireSource): Promise<WorkerName> {
  return (await isOnnxSource(wire)) ? 'onnx' : 'inspect';
}

/** Checks one file. `beside` are the names and sizes of the other files of its folder. */
export async function validateWire(
  platform: Platform,
  wire: WireSource,
  options: ValidateOptions,
  beside?: readonly (readonly [name: string, bytes: number])[],
): Promise<ValidationReport> {
  const { strict = false, values = false, checksums, context = false } = options;
  const input = { source: wire, strict, values, checksums, context, beside };
  const worker = await inspectorOf(wire);
  return withWorker<InspectCalls, ValidationReport>(platform, options, worker, (channel) =>
    channel.call('validate', input, { ...options, transfer: transferOf(wire) }),
  );
}
