// `inspect` and `validate` on the caller's side.

import { flag } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import type { Platform } from '../platform/platform.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import { withWorker } from '../runtime/connect.ts';
import { sourceJobNames } from '../runtime/option-names.ts';
import type { FetchOptions, ModelParts, ModelSource } from '../sources/base/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import { transferOf, wireSource } from '../sources/wire-source.ts';
import type { Inspection } from './inspect-types.ts';
import type { InspectCalls } from './protocol.ts';
import type { ValidateOptions, ValidationReport } from './validate-types.ts';

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
  options: JobOptions & RuntimeOptions & FetchOptions,
): Promise<Inspection> {
  await refuseUnknown(options, sourceJobNames);
  const wire = await wireSource(platform.locate, source, options);
  return withWorker<InspectCalls, Inspection>(platform, options, 'inspect', (channel) =>
    channel.call('inspect', { source: wire }, { ...options, transfer: transferOf(wire) }),
  );
}

/** Checks one file. */
export function validateWire(
  platform: Platform,
  wire: WireSource,
  options: ValidateOptions,
): Promise<ValidationReport> {
  const { strict = false, values = false, checksums, context = false } = options;
  const input = { source: wire, strict, values, checksums, context };
  return withWorker<InspectCalls, ValidationReport>(platform, options, 'inspect', (channel) =>
    channel.call('validate', input, { ...options, transfer: transferOf(wire) }),
  );
}
