// Runs the command of another package by npm, which fetches the package where it is not installed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { UnreadableError } from '../shared/failure.ts';
import type { Terminal } from '../shared/terminal.ts';
import { ownVersion } from '../shared/version.ts';

/** Ctrl-C is how people stop a server. */
const interrupted = 130;
const isWindows = process.platform === 'win32';

/** The packages beside `ambry` have its version. Resolves to the exit code of the command, which has the streams of this
 *  process. */
export async function runPackage(
  name: string,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const named = `${name}@${ownVersion()}`;
  terminal.note(`${name} is not installed. npm runs it: npx ${named}`);
  const child = startNpm(['exec', '--yes', '--', named, ...args]);
  const isInterrupted = () => terminal.stopCode === interrupted;
  terminal.signal.addEventListener('abort', () =>
    stop(child, isInterrupted() ? 'SIGINT' : 'SIGTERM'),
  );
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return isInterrupted() ? 0 : (terminal.stopCode ?? code ?? 1);
  } catch {
    throw new UnreadableError(`npm does not start here. Install ${name} beside ambry.`);
  }
}

/** npm says where it lies to the programs that it runs, as `npx ambry` is one. It does not hand on every signal to the
 *  program that it runs, so both are a group that can be ended together. */
function startNpm(args: readonly string[]): ChildProcess {
  const own = process.env['npm_execpath'];
  const options = { stdio: 'inherit', detached: !isWindows } as const;
  if (own?.endsWith('npm-cli.js')) {
    return spawn(process.execPath, [own, ...args], options);
  }
  // On Windows npm is a script of the shell.
  return spawn('npm', args, { ...options, shell: isWindows });
}

function stop(child: ChildProcess, signal: 'SIGINT' | 'SIGTERM'): void {
  if (isWindows || child.pid === undefined) {
    child.kill(signal);
  } else {
    process.kill(-child.pid, signal);
  }
}
