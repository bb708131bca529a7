// Starts the tools of the apps: those that end by themselves, and servers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

const longest = 5 * 60_000;

/** Runs a tool to its end, and gives what it printed. */
export async function run(command, args, { cwd, env = {}, input } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), longest);
  let out = '';
  let all = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
    all += bytes;
  });
  child.stderr.on('data', (bytes) => {
    all += bytes;
  });
  child.stdin?.end(input);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${tail(all)}`);
  return out;
}

/** Starts a server on a free port, waits until it answers, and gives its address to `use`. */
export async function withServer(command, args, { cwd, env = {} }, use) {
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
    throw new Error(`${error.message}\n${tail(printed)}`);
  } finally {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

async function answering(url, child) {
  const end = Date.now() + longest;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  throw new Error('the server does not answer');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

const tail = (text) => text.slice(-3000).trim();
