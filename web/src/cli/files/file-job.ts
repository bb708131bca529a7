// Runs the jobs that write a model file, for `convert` and `quantize`. Warnings go to standard error.
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { JobOptions, ModelDirectory, ModelSource, Problem } from '../../entries/types.ts';
import { removeAtExit } from '../../output/node-partial.ts';
import { directoryAt } from '../../sources/directory/node-directory.ts';
import { parseHubName } from '../../sources/hub/hub-name.ts';
import type { Fetching } from '../shared/common-options.ts';
import { describeWarnings } from '../shared/failure.ts';
import { convertSource, isDirectory, isPath } from '../shared/input.ts';
import type { Sink } from '../shared/stream-target.ts';
import { refuseToReplace, targetOf } from '../shared/target.ts';
import type { Terminal } from '../shared/terminal.ts';

/** The options that the command line sets for every job. */
interface FileJobOptions extends Required<JobOptions> {
  readonly metadata: Readonly<Record<string, string>>;
  readonly onWarning: (warning: Problem) => void;
  readonly output: string;
}

export interface FileJob<Result> {
  readonly source: string;
  /** A path, or `-` for standard output. */
  readonly target: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Further files that the job reads. */
  readonly inputs?: readonly (string | undefined)[];
  /** The target may be a file that is read. */
  readonly force: boolean;
  /** How the source is fetched. */
  readonly fetching: Fetching;
  readonly run: (source: ModelSource | ModelDirectory, options: FileJobOptions) => Promise<Result>;
  /** Prints what was done. Not called if the target is standard output. */
  readonly report: (result: Result, warnings: readonly Problem[]) => void;
}

/** Prints from what the target was made. */
export function reportTarget(
  { source, target }: Pick<FileJob<unknown>, 'source' | 'target'>,
  json: boolean,
  facts: object,
  terminal: Terminal,
): void {
  if (json) {
    terminal.printJson({ source, target, ...facts });
  } else {
    terminal.print(`${source} → ${target}`);
  }
}

/** Runs the job and resolves to the exit code. The target file appears only when it is complete. */
export async function runFileJob<Result>(
  { source, target, metadata, inputs = [], force, fetching, run, report }: FileJob<Result>,
  terminal: Terminal,
): Promise<number> {
  const warnings: Problem[] = [];
  if (!force) {
    const advice = 'Name another file, or give --force to replace it.';
    await refuseToReplace(target, [...filesOf(source), ...inputs], advice);
  }
  const found = await targetOf(target, terminal);
  const { signal, onProgress } = terminal;
  const given = await convertSource(source, { ...fetching, signal, onProgress });
  const options = {
    metadata: { ...(await directoryMetadata(source, given)), ...metadata },
    signal,
    onProgress,
    onWarning: (warning: Problem) => warnings.push(warning),
  };
  const runTo = async (output: string) => run(given, { ...options, output });
  const isStream = found.kind === 'stream';
  const result = await (isStream ? runToStream(runTo, await found.open()) : runTo(target));
  // Some were said before the work began.
  const unsaid = warnings.filter(({ message }) => !terminal.hasSaid(message));
  for (const line of describeWarnings(unsaid)) {
    terminal.note(`warning  ${line}`);
  }
  if (!isStream || !found.isOutput) {
    report(result, warnings);
  }
  return 0;
}

/** A directory does not state its name or the time of conversion. A fixed SOURCE_DATE_EPOCH
 *  (reproducible-builds.org) makes the target the same every time. */
async function directoryMetadata(
  source: string,
  given: ModelSource | ModelDirectory,
): Promise<Record<string, string>> {
  const isOfHub = given instanceof Map;
  if (!isOfHub && !(await isDirectory(source))) {
    return {};
  }
  const epoch = process.env.SOURCE_DATE_EPOCH;
  const now = epoch === undefined ? new Date() : new Date(Number(epoch) * 1000);
  const created = now.toISOString().replace(/\.\d+Z$/, 'Z');
  const name = isOfHub ? parseHubName(source).repository : resolve(source);
  return { model_name: basename(name), created_at: created };
}

/** The source, and the other files of its directory that are read with it. */
function filesOf(source: string): string[] {
  if (!isPath(source)) {
    return [source];
  }
  const files = directoryAt({ kind: 'path', path: source });
  const paths = [...(files?.values() ?? [])].map((file) => ('path' in file ? file.path : ''));
  return [source, ...paths.filter((path) => path !== '')];
}

/** Writes a temporary file and copies it to the stream. Jobs write at any position, and the target may be larger than
 *  memory. The file is removed even if the reader stops early and the process ends. */
async function runToStream<Result>(
  runTo: (path: string) => Promise<Result>,
  sink: Sink,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'ambry-'));
  const forget = removeAtExit(folder);
  try {
    const path = join(folder, 'target');
    const result = await runTo(path);
    await sink.write(createReadStream(path));
    return result;
  } finally {
    sink.close();
    await rm(folder, { recursive: true, force: true });
    forget();
  }
}
