// What a source will run as after its conversion, which begins and then ends: the small files and the heads of the
// weights are all that is read.
import { isOfFile } from '../base/errors.ts';
import type { RunReport } from '../inspect/run-types.ts';
import type { RunKind } from '../model/kind.ts';
import { MustRestart } from '../sources/http/error.ts';
import type { ConversionFiles, ConvertModule } from '../wasm/module.mjs';
import { type Inputs, withInputs } from './worker-convert-job.ts';
import { runTarget } from './worker-run-target.ts';

type TargetRun = Pick<RunReport, 'memory' | 'obstacle' | 'warnings'> &
  Partial<Pick<RunReport, 'kind' | 'generator'>>;

export async function reportOf(
  module: ConvertModule,
  inputs: Inputs,
  wanted: RunKind | undefined,
): Promise<RunReport> {
  const files = await sizesOf(inputs);
  try {
    const { kind, to } = await runTarget(module, inputs, wanted);
    const found = await targetOf(module, inputs, to);
    const warnings = [...inputs.warnings, ...found.warnings];
    return { kind, format: to, converts: true, ...found, warnings, ...files };
  } catch (error) {
    if (!isOfFile(error) || error instanceof MustRestart) {
      throw error;
    }
    const kind = wanted ?? null;
    const refused = { memory: null, obstacle: error.toJSON(), warnings: [] };
    return { kind, format: null, converts: true, ...refused, ...files };
  }
}

/** What the target of a conversion runs as. The core refuses it as it refuses the conversion. */
async function targetOf(module: ConvertModule, inputs: Inputs, to: string): Promise<TargetRun> {
  const settings = JSON.stringify({ to, toRun: true });
  const look = (files: ConversionFiles) => module.conversionRun(files, settings);
  return (await withInputs(module, inputs, look)) as TargetRun;
}

/** The sizes of a directory's files. A file that is given alone has no name. */
async function sizesOf({ weights, files }: Inputs): Promise<Pick<RunReport, 'files'>> {
  if (weights.some(({ name }) => name === '')) {
    return {};
  }
  const large = await Promise.all(
    weights.map(async ({ name, source }) => ({ name, bytes: await source.measure() })),
  );
  const small = [...files].map(([name, { byteLength }]) => ({ name, bytes: byteLength }));
  return { files: [...large, ...small] };
}
