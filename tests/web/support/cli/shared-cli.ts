// The command line in one process for a whole test file: a start costs several times as much as most lines. For what a
// process does as a whole (signals, pipes, its environment, its end) tests take cli.ts.
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { cliArgs, type Run, runOf } from './cli.ts';

const host = fileURLToPath(new URL('cli-host.mjs', import.meta.url));
const [flag, main] = cliArgs;

interface Answer {
  readonly code: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

type CallCli = (args: readonly string[], input?: string | Uint8Array) => Promise<Run>;

/** Standard input of a line is a file with `input`. Each line waits for the lines before. */
export const ambryCli: CallCli = cliIn(() => ({}));

/** A line that must end with 0. */
export async function succeed(args: readonly string[], input?: string | Uint8Array): Promise<Run> {
  const run = await ambryCli(args, input);
  expect(run.code, run.err).toBe(0);
  return run;
}

/** The command line in a folder or an environment, asked for at the first line. */
export function cliIn(place: () => Pick<ForkOptions, 'cwd' | 'env'>): CallCli {
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  afterAll(() => end(child));
  return (args, input = '') => {
    const run = last.then(() => {
      if (child?.connected !== true) {
        child = fork(host, [main], { ...place(), execArgv: [flag], serialization: 'advanced' });
      }
      return runLine(child, args, input);
    });
    last = run.catch(() => {});
    return run;
  };
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child?.connected) {
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  }
}

async function runLine(
  child: ChildProcess,
  args: readonly string[],
  input: string | Uint8Array,
): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'ambry-shared-'));
  const file = join(folder, 'input');
  const stop = new AbortController();
  const { signal } = stop;
  try {
    await writeFile(file, input);
    const answered = once(child, 'message', { signal }) as Promise<[Answer]>;
    const exited = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`The process of the command line ended with ${code}: ${args.join(' ')}`);
    });
    child.send({ args, input: file });
    const [{ code, stdout, stderr }] = await Promise.race([answered, exited]);
    return runOf(code, Buffer.from(stdout), Buffer.from(stderr));
  } finally {
    stop.abort();
    await rm(folder, { recursive: true });
  }
}
