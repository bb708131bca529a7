// Programs that end with all programs that they started, and with the tests, however those end.

import { type ChildProcess, spawn } from 'node:child_process';

// The pipe to the shell closes when the process of the tests is gone, also one that was killed.
const script = '("$@"; kill -KILL 0) & cat >/dev/null; kill -KILL 0';

export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Rejects when the program ends. */
  readonly failure: Promise<never>;
  end(): void;
}

/** Starts a program. What it writes to file 3 is in `child.stdio[3]`. */
export function startGroup(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ProcessGroup {
  const child = spawn('sh', ['-c', script, 'sh', program, ...args], {
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  const failure = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(
        new Error(
          `${program} is missing or ended by itself (apt-get install webkit2gtk-driver xvfb).`,
        ),
      );
    child.once('error', fail);
    child.once('exit', fail);
  });
  failure.catch(() => undefined);
  return { child, failure, end: () => child.stdin?.end() };
}
