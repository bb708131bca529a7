// What a source is converted to so that it runs. The core decides it (core/opening/conversion_to_run.h).
import type { RunKind } from '../model/kind.ts';
import type { ConversionFiles, ConvertModule } from '../wasm/module.mjs';
import type { FormatId } from '../wasm/tables.ts';
import { type Inputs, withInputs } from './worker-convert-job.ts';

export interface RunTarget {
  readonly kind: RunKind;
  readonly to: FormatId;
}

/** By the small files and the heads of the weights. It says nothing about whether the conversion will work. */
export async function runTarget(
  module: ConvertModule,
  inputs: Inputs,
  wanted: RunKind | undefined,
): Promise<RunTarget> {
  const look = (files: ConversionFiles) => module.conversionToRun(files, wanted ?? '');
  return (await withInputs(module, inputs, look)) as RunTarget;
}
