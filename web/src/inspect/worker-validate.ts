// Validation. How deep it goes depends on the source and on the options.
import type { CallContext } from '../rpc/serve.ts';
import { unwrap, using } from '../runtime/worker-heap.ts';
import { fillSink, isRemote, withParts } from '../runtime/worker-parts.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { InspectModule } from '../wasm/module.mjs';
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
    const report = { ...found, depth };
    return settings.context ? withContext(report, source) : report;
  });
}
