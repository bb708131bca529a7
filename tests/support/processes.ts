// Starts the tools of apps: those that end by themselves, and servers.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const longest = 5 * 60_000;

export interface ProcessPlace {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** What it reads from its standard input. */
  readonly input?: string | undefined;
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  /** With what it wrote to its standard error. */
  readonly all: string;
}

/** Runs a tool to its end, and gives what it printed. Rejects if it ends with another code than 0. */
export async function run(
  command: string,
  args: readonly string[],
  place: ProcessPlace = {},
): Promise<string> {
  const { code, out, all } = await ended(command, args, place);
  if (code !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${tail(all)}`);
  }
  return out;
}

/** Runs a tool to its end, whatever its code is. */
export async function ended(
  command: string,
  args: readonly string[],
  { cwd, env = {}, input }: ProcessPlace = {},
): Promise<Ended> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), longest);
  let out = '';
  let all = '';
  child.stdout?.on('data', (bytes) => {
    out += bytes;
    all += bytes;
  });
  child.stderr?.on('data', (bytes) => {
    all += bytes;
  });
  child.stdin?.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, out, all };
}

/** Starts a server on a free port, waits until it answers, and gives its address to `use`. `PORT` in the arguments is the
 *  port. */
export async function withServer<T>(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: ProcessPlace,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const port = await freePort();
  const given = args.map((arg) => arg.replaceAll('PORT', String(port)));
  const child = spawn(command, given, {
    cwd,
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The tools start processes of their own, which end with their group.
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      printed += bytes;
    });
  }
  const url = `http://127.0.0.1:${port}/`;
  try {
    await answering(url, child);
    return await use(url);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${tail(printed)}`);
  } finally {
    endGroup(child);
  }
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) {
      process.kill(-pid, 'SIGKILL');
    }
  } catch {
    // The process has ended.
  }
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + longest;
  while (Date.now() < end) {
    if (child.exitCode !== null) {
      throw new Error(`the server ended with ${child.exitCode}`);
    }
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  throw new Error('the server does not answer');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const tail = (text: string): string => text.slice(-3000).trim();
