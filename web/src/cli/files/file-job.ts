// Runs the jobs that write a model file, for `convert` and `quantize`. Warnings go to standard error.
import { createReadStream, rmSync } from 'node:fs';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { JobOptions, ModelSource, Problem } from '../../types.ts';
import { describeProblem } from '../shared/failure.ts';
import { convertSource } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';

/** The options that the command line sets for every job. */
export interface FileJobOptions extends Required<JobOptions> {
  readonly metadata: Readonly<Record<string, string>>;
  readonly onWarning: (warning: Problem) => void;
  readonly output: string;
}

export interface FileJob<Result> {
  readonly source: string;
  /** A path, or `-` for standard output. */
  readonly target: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly run: (source: ModelSource, options: FileJobOptions) => Promise<Result>;
  /** Prints what was done. Not called if the target is standard output. */
  readonly report: (result: Result, warnings: readonly Problem[]) => void;
}

/** Runs the job and resolves to the exit code. The target file appears only when it is complete. */
export async function runFileJob<Result>(
  { source, target, metadata, run, report }: FileJob<Result>,
  terminal: Terminal,
): Promise<number> {
  const warnings: Problem[] = [];
  const isPiped = target === '-';
  const options = {
    metadata: { ...(await directoryMetadata(source)), ...metadata },
    signal: terminal.signal,
    onProgress: terminal.onProgress,
    onWarning: (warning: Problem) => warnings.push(warning),
  };
  const runTo = async (output: string) => run(await convertSource(source), { ...options, output });
  const result = await (isPiped ? runToPipe(runTo, terminal) : runTo(target));
  for (const warning of warnings) terminal.note(`warning  ${describeProblem(warning)}`);
  if (!isPiped) report(result, warnings);
  return 0;
}

/** A directory does not state its name or the time of conversion. A fixed SOURCE_DATE_EPOCH
 *  (reproducible-builds.org) makes the target the same every time. */
async function directoryMetadata(source: string): Promise<Record<string, string>> {
  const isDirectory = await stat(source).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isDirectory) return {};
  const epoch = process.env.SOURCE_DATE_EPOCH;
  const now = epoch === undefined ? new Date() : new Date(Number(epoch) * 1000);
  const created = now.toISOString().replace(/\.\d+Z$/, 'Z');
  return { model_name: basename(resolve(source)), created_at: created };
}

/** Writes a temporary file and copies it to standard output. Jobs write at any position, and the target may be larger
 *  than memory. The file is removed even if the reader stops early and the process ends. */
async function runToPipe<Result>(
  runTo: (path: string) => Promise<Result>,
  terminal: Terminal,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'ambry-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const path = join(folder, 'target');
    const result = await runTo(path);
    await terminal.pipe(createReadStream(path));
    return result;
  } finally {
    process.off('exit', remove);
    remove();
  }
}
