// Starts processes and waits for them.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const workerMain = `${root}packages/worker/dist/main.js`;
const crashScript = new URL('crash-on-words.mjs', import.meta.url).href;

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until the condition holds. The test's own time limit ends a wait that is in vain. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition().catch(() => false))) {
    await sleep(50);
  }
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** Waits until standard error has this. */
  said(words: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface StartOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A process that runs longer is killed, so that the test that waits for it fails with what the process has said. */
  readonly limitMs?: number;
}

export function start(
  command: string,
  args: readonly string[],
  { input, env = {}, limitMs }: StartOptions = {},
): Running {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(limitMs !== undefined && { timeout: limitMs }),
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, said: (words) => until(async () => stderr.includes(words)), ended };
}

export const startWorker = (...args: readonly string[]): Running =>
  start(process.execPath, [workerMain, ...args]);

/** A worker whose model or process dies of certain words. */
export const startCrashing = (...args: readonly string[]): Running =>
  start(process.execPath, ['--import', crashScript, workerMain, ...args]);

export const ambryWorker = (...args: readonly string[]): Promise<Ended> =>
  startWorker(...args).ended;

/** The JSON of the last line. */
export const parsed = ({ stdout }: Ended) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');

/** The JSON of all lines. */
export const parsedLines = ({ stdout }: Ended) =>
  stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
