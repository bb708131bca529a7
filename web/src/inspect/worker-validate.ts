// Validation. How deep it goes depends on the source and on the options.
import type { Problem } from '../base/problem.ts';
import type { CallContext } from '../rpc/serve.ts';
import { unwrap, using } from '../runtime/worker-heap.ts';
import { fillSink, isRemote, withParts } from '../runtime/worker-parts.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { InspectModule, OnnxBindings, PartialSource } from '../wasm/module.mjs';
import type { InspectCalls } from './protocol.ts';
import type { CheckDepth, ValidationReport } from './validate-types.ts';
import { withContext } from './worker-context.ts';

type Settings = Omit<InspectCalls['validate']['in'], 'source'>;

/** Headers of remote files are checked without a download of the whole file. */
function depthFor(source: ByteSource, { values, checksums }: Settings): CheckDepth {
  if (values) {
    return 'values';
  }
  const remote = isRemote(source);
  if (checksums ?? !remote) {
    return 'checksums';
  }
  return remote ? 'headers' : 'structure';
}

export async function validate(
  module: InspectModule,
  source: ByteSource,
  settings: Settings,
  context: CallContext,
): Promise<ValidationReport> {
  const depth = depthFor(source, settings);
  const { strict, values } = settings;
  const checksums = depth === 'checksums' || depth === 'values';
  const validation = await withParts(module, source, (parts) =>
    module.beginValidation(parts, strict, values, checksums, depth !== 'headers'),
  );
  return using(module, validation, async (running) => {
    await fillSink(module, running, source, context, 'validate');
    const found = unwrap(module.finishValidation(running)) as Omit<ValidationReport, 'depth'>;
    const report = await withBeside(module, source, { ...found, depth }, settings);
    return settings.context ? withContext(report, source) : report;
  });
}

/** With what is wrong with the tensors that lie in other files. Where these are not known, it is only a warning. */
async function withBeside(
  module: InspectModule,
  source: ByteSource,
  report: ValidationReport,
  { beside }: Settings,
): Promise<ValidationReport> {
  const { checkExternalData } = module as Partial<OnnxBindings>;
  if (!checkExternalData || report.format !== 'onnx' || !report.valid || !source.seekable) {
    return report;
  }
  const files = JSON.stringify(beside ?? []);
  const check = (parts: PartialSource) => checkExternalData(parts, files);
  const problems = (await withParts(module, source, check)) as Problem[];
  return beside
    ? { ...report, valid: problems.length === 0, errors: [...report.errors, ...problems] }
    : { ...report, warnings: [...report.warnings, ...problems] };
}
