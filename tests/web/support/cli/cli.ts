// The command line as a child process, the way people run it.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../../dist/cli/main.js', import.meta.url));

export interface Run {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly out: string;
  readonly err: string;
  /** Standard output as JSON, one document a line. */
  readonly json: () => unknown[];
}

/** Node's arguments that start it. Code from strings is forbidden throughout: the package needs none. */
export const cliArgs = ['--disallow-code-generation-from-strings', main] as const;

export const ambryCli = (
  args: readonly string[],
  input?: string | Uint8Array,
  env?: Readonly<Record<string, string>>,
): Promise<Run> => runProgram([...cliArgs, ...args], input, env);

/** Runs Node with these arguments. */
export function runProgram(
  args: readonly string[],
  input?: string | Uint8Array,
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve(runOf(code, Buffer.concat(stdout), Buffer.concat(stderr)));
    });
  });
}

/** What a run printed. */
export function runOf(code: number | null, stdout: Buffer, stderr: Buffer): Run {
  const out = stdout.toString();
  const json = () =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  return { code, stdout, out, err: stderr.toString(), json };
}

/** Runs it with descriptors of our choice, and reads standard error where that is a pipe. */
export async function runWithStreams(
  args: readonly string[],
  stdio: StdioOptions,
  feed?: (child: ChildProcess) => void,
): Promise<Pick<Run, 'code' | 'err'>> {
  const child: ChildProcess = spawn(process.execPath, [...cliArgs, ...args], { stdio });
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  feed?.(child);
  const err = child.stderr ? (await buffer(child.stderr)).toString() : '';
  return { code: await closed, err };
}
