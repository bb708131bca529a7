// A copy of the built site on a server of its own, which can get a new build and can end.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import send from 'send';

const built = fileURLToPath(new URL('../../packages/demo/site/', import.meta.url));
const isText = /\.(html|js|css)$/;

interface Held {
  /** The number of requests that wait. */
  count(): number;
  release(): void;
}

export interface DeployedSite {
  /** Ends with a slash. */
  readonly url: string;
  /** The paths of what was asked for, each with its range. */
  readonly asked: string[];
  /** The files of the site, below its root. */
  files(): string[];
  /** Puts a new build in place: the scripts whose names match get other names, and titles begin with `New`. */
  deploy(renamed: RegExp): void;
  /** Adds or replaces a file. */
  write(path: string, text: string): void;
  /** Removes a file. */
  remove(path: string): void;
  /** Answers requests for these paths only after they are released. */
  hold(paths: RegExp): Held;
  /** Ends the server, so that nothing is reachable. */
  end(): void;
  /** Deletes the copy, too. */
  close(): void;
}

function listed(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.filter((path) => statSync(join(folder, path)).isFile());
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

function makeNew(folder: string, renamed: RegExp): void {
  const names = listed(join(folder, 'assets')).filter((name) => renamed.test(name));
  const newName = (name: string): string => name.replace(/-[\w-]{8}(\.\w+)$/, '-newbuild$1');
  for (const name of names) {
    renameSync(join(folder, 'assets', name), join(folder, 'assets', newName(name)));
  }
  const hashes = new Map<string, string>();
  const change = (path: string): void => {
    const text = readFileSync(join(folder, path), 'utf8');
    let changed = text.replace('<title>Ambry', '<title>New Ambry');
    for (const name of names) {
      changed = changed.replaceAll(name, newName(name));
    }
    for (const [before, after] of hashes) {
      changed = changed.replaceAll(before, after);
    }
    hashes.set(hashOf(text), hashOf(changed));
    writeFileSync(join(folder, path), changed);
  };
  const paths = listed(folder).filter((path) => isText.test(path) && path !== 'sw.js');
  for (const path of paths) {
    change(path);
  }
  // Last: it has the names and hashes of the others.
  change('sw.js');
}

export async function deploySite(): Promise<DeployedSite> {
  const folder = mkdtempSync(join(tmpdir(), 'ambry-deployed-'));
  cpSync(built, folder, { recursive: true, filter: (path) => !path.includes('/docs/') });
  const asked: string[] = [];
  let held: { readonly paths: RegExp; readonly waiting: (() => void)[] } | undefined;
  const server = createServer((request, response) => {
    const { url = '/', headers } = request;
    asked.push(headers.range === undefined ? url : `${url} ${headers.range}`);
    const [path = '/'] = url.split('?', 1);
    const answer = () => send(request, path, { root: folder, maxAge: 0 }).pipe(response);
    if (held?.paths.test(path)) {
      held.waiting.push(answer);
    } else {
      answer();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    files: () => listed(folder),
    deploy: (renamed) => makeNew(folder, renamed),
    write: (path, text) => {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    remove: (path) => rmSync(join(folder, path)),
    hold: (paths) => {
      const waiting: (() => void)[] = [];
      held = { paths, waiting };
      return {
        count: () => waiting.length,
        release: () => {
          held = undefined;
          for (const answer of waiting.splice(0)) {
            answer();
          }
        },
      };
    },
    end,
    close: () => {
      end();
      rmSync(folder, { recursive: true });
    },
  };
}
