// What `convert` and `quantize` do alike around the job: facts that only the command line knows, the
// target to a file or to standard output, warnings to standard error.
import { createReadStream, rmSync } from 'node:fs';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { JobOptions, ModelSource, Problem } from '../../types.ts';
import { describe } from '../shared/failure.ts';
import { convertSource } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';

/** What the command line adds to a job's own options. */
export interface TargetOptions extends Required<JobOptions> {
  readonly metadata: Readonly<Record<string, string>>;
  readonly onWarning: (warning: Problem) => void;
  readonly output: string;
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
export async function writeTarget<Made>(
  source: string,
  target: string,
  metadata: Readonly<Record<string, string>>,
  terminal: Terminal,
  make: (from: ModelSource, options: TargetOptions) => Promise<Made>,
  tell: (made: Made, warnings: readonly Problem[]) => void,
): Promise<number> {
  const warnings: Problem[] = [];
  const piped = target === '-';
  const facts = {
    metadata: { ...(await ownFacts(source)), ...metadata },
    signal: terminal.signal,
    onProgress: terminal.onProgress,
    onWarning: (warning: Problem) => warnings.push(warning),
  };
  const makeAt = async (output: string) => make(await convertSource(source), { ...facts, output });
  const made = await (piped ? throughSpool(makeAt, terminal) : makeAt(target));
  for (const warning of warnings) terminal.note(`warning  ${describe(warning)}`);
  if (!piped) tell(made, warnings);
  return 0;
}

/** Standard output by way of a file, for jobs write at earlier places, too, and targets may be larger than
 *  memory. The file is gone afterwards, also when whoever reads had enough and the process ends. */
async function throughSpool<Made>(
  makeAt: (path: string) => Promise<Made>,
  terminal: Terminal,
): Promise<Made> {
  const folder = await mkdtemp(join(tmpdir(), 'ambry-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const spool = join(folder, 'target');
    const made = await makeAt(spool);
    await terminal.write(createReadStream(spool));
    return made;
  } finally {
    process.off('exit', remove);
    remove();
  }
}
