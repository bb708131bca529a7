// What `convert` and `quantize` do alike around the job: facts that only the command line knows, the
// target to a file or to standard output, warnings to standard error.
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { JobOptions, ModelSource, Problem } from '../types.ts';
import { describe } from './failure.ts';
import { convertSource } from './input.ts';
import type { Terminal } from './terminal.ts';

/** What the command line adds to a job's own options. */
export interface TargetOptions extends JobOptions {
  readonly metadata: Readonly<Record<string, string>>;
  readonly onWarning: (warning: Problem) => void;
  /** Absent for standard output. */
  readonly output?: string;
}

/** What a directory does not say of itself: what people call it, and when it was converted. A fixed
 *  SOURCE_DATE_EPOCH (reproducible-builds.org) makes equal input give equal bytes. */
async function ownFacts(source: string): Promise<Record<string, string>> {
  const isDirectory = await stat(source).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isDirectory) return {};
  const epoch = process.env.SOURCE_DATE_EPOCH;
  const now = epoch === undefined ? new Date() : new Date(Number(epoch) * 1000);
  const created = now.toISOString().replace(/\.\d+Z$/, 'Z');
  return { model_name: basename(resolve(source)), created_at: created };
}

/** Makes the target, a file that appears only when it is whole, or `-`; then `tell`s what there is to
 *  tell, unless standard output has the target itself. */
export async function writeTarget<Made extends { readonly blob: Blob | null }>(
  source: string,
  target: string,
  metadata: Readonly<Record<string, string>>,
  terminal: Terminal,
  make: (from: ModelSource, options: TargetOptions) => Promise<Made>,
  tell: (made: Made, warnings: readonly Problem[]) => void,
): Promise<number> {
  const warnings: Problem[] = [];
  const piped = target === '-';
  const options: TargetOptions = {
    metadata: { ...(await ownFacts(source)), ...metadata },
    signal: terminal.signal,
    onProgress: terminal.onProgress,
    onWarning: (warning) => warnings.push(warning),
    ...(!piped && { output: target }),
  };
  const made = await make(await convertSource(source), options);
  if (made.blob) await terminal.write(made.blob.stream() as unknown as AsyncIterable<Uint8Array>);
  for (const warning of warnings) terminal.note(`warning  ${describe(warning)}`);
  if (!piped) tell(made, warnings);
  return 0;
}
