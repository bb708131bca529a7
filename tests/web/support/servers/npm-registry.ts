// A registry of npm on this machine. It has the packages of the repository's node_modules, as they are there.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));

export interface NpmRegistry {
  readonly url: string;
  /** The packages that were downloaded. */
  readonly downloads: readonly string[];
  close(): void;
}

export async function startNpmRegistry(): Promise<NpmRegistry> {
  const downloads: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = decodeURIComponent(pathname.slice(1)).replace(/^-\/tarball\//, '');
    try {
      if (!pathname.startsWith('/-/tarball/')) {
        return response.end(JSON.stringify(described(name)));
      }
      downloads.push(name);
      return response.end(tarball(name));
    } catch {
      return response.writeHead(404).end('{}');
    }
  });

  function described(name: string) {
    const manifest = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    const dist = { tarball: `${url}-/tarball/${encodeURIComponent(name)}` };
    const { version } = manifest;
    return {
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist } },
    };
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, downloads, close: () => server.close() };
}

/** Without what is large and not needed here. */
function tarball(name: string): Buffer {
  const folder = realpathSync(join(modules, name));
  const without = ['node_modules', 'site/docs', 'site/models'].map((path) => `--exclude=${path}`);
  const base = folder.slice(dirname(folder).length + 1);
  const renamed = `--transform=s,^${base},package,`;
  const args = ['czf', '-', '-C', dirname(folder), ...without, renamed, base];
  return execFileSync('tar', args, { maxBuffer: 2 ** 28 });
}
