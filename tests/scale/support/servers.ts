// Redis and PostgreSQL of the tests: own processes with own folders on free loopback ports.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { freePort, type Running, start, until } from './processes.ts';

const installation = ['/usr/lib/postgresql/15', '/usr/share/postgresql/15'] as const;
const isRoot = process.getuid?.() === 0;

export interface Server {
  readonly url: string;
  start(): Promise<void>;
  /** Ends the server at once, and lets it clean nothing up. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function redisServer(...settings: readonly string[]): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'ambry-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let running: Running | undefined;
  const kill = async () => {
    running?.child.kill('SIGKILL');
    await running?.ended;
  };
  return {
    url,
    start: async () => {
      const common = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
      running = start('redis-server', [...common, '--appendonly', 'yes', ...settings]);
      const client = new Redis(url, { maxRetriesPerRequest: null });
      client.on('error', () => {});
      await until(async () => (await client.ping()) === 'PONG');
      client.disconnect();
    },
    kill,
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL does not run as root: root gives the work to the user `postgres` of the Debian package. */
function asServerUser(command: string, args: readonly string[]): [string, string[]] {
  if (!isRoot) {
    return [command, [...args]];
  }
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args]];
}

/** Makes an installation that has links to all files but those of pgvector, and returns the folder of its server. A server
 *  looks for its files by its own path. */
function installWithoutPgvector(folder: string): string {
  const [programs, texts] = installation;
  const linkAll = (path: string) => {
    mkdirSync(join(folder, path), { recursive: true });
    for (const name of readdirSync(path).filter((name) => !/^vector\b/.test(name))) {
      // The extensions get a folder of their own.
      if (name !== 'extension') {
        symlinkSync(join(path, name), join(folder, path, name));
      }
    }
  };
  linkAll(join(programs, 'lib'));
  linkAll(texts);
  linkAll(join(texts, 'extension'));
  const bin = join(folder, programs, 'bin');
  mkdirSync(bin);
  cpSync(join(programs, 'bin/postgres'), join(bin, 'postgres'));
  return bin;
}

export async function postgresServer({ pgvector = true } = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'ambry-postgres-'));
  chmodSync(folder, 0o755);
  const programs = `${installation[0]}/bin`;
  const binaries = pgvector ? programs : installWithoutPgvector(folder);
  const data = join(folder, 'data');
  mkdirSync(data);
  if (isRoot) {
    const id = (flag: string) =>
      Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
    for (const path of [folder, data]) {
      chownSync(path, id('-u'), id('-g'));
    }
  }
  chmodSync(data, 0o700);
  const initdb = asServerUser(`${programs}/initdb`, [
    '-D',
    data,
    '-A',
    'trust',
    '-U',
    'ambry',
    '--no-sync',
  ]);
  const made = spawnSync(...initdb, { encoding: 'utf8', cwd: folder });
  if (made.status !== 0) {
    throw new Error(`initdb failed: ${made.stderr}`);
  }
  const port = await freePort();
  const url = `postgres://ambry@127.0.0.1:${port}/postgres`;
  let running: Running | undefined;
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    running?.child.kill(signal);
    await running?.ended;
  };
  return {
    url,
    start: async () => {
      const settings = [
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        `unix_socket_directories=${folder}`,
      ];
      const args = ['-D', data, '-p', `${port}`, ...settings];
      running = start(...asServerUser(`${binaries}/postgres`, args));
      await until(async () => {
        const client = new pg.Client({ connectionString: url });
        client.on('error', () => {});
        await client.connect();
        await client.end();
        return true;
      });
    },
    kill,
    stop: async () => {
      await kill('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
