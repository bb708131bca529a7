// A hub on loopback: the routes of lists and files, and a second server on another host that has the large files. The hub
// redirects to it with an address that is another one each time.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Asked, ByteServer, contentOf, type Manners } from './byte-server.ts';

type Files = ReadonlyMap<string, Uint8Array>;

export interface Repository {
  /** The files of each revision that has a name. */
  readonly branches: Map<string, Files>;
  /** Without this token nothing is sent. */
  token?: string;
  /** The list is sent without a token. */
  isListPublic?: boolean;
  /** How the list of the revision is: without sizes, or without files. */
  siblings?: 'bare' | 'none';
  /** Entries in a page of the tree. Without it the route of the tree is missing. */
  pageSize?: number;
  /** Files that the hub sends itself. The others are at the second server. */
  isSmall?: (path: string) => boolean;
  /** How the second server sends a file; `n` counts the redirects to it. */
  manners?: (path: string, n: number) => Partial<Manners>;
  /** Replaces the body of a list. */
  list?: (route: 'revision' | 'tree', body: unknown) => unknown;
}

export interface HubRequest {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly range: string | undefined;
}

export const sha256Of = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** A commit's hash: 40 digits made of its files. */
export function commitOf(files: Files): string {
  const hash = createHash('sha1');
  for (const [path, bytes] of files) {
    hash.update(path).update(sha256Of(bytes));
  }
  return hash.digest('hex');
}

export class HubServer {
  readonly repositories = new Map<string, Repository>();
  /** All requests that the hub itself got. */
  readonly requests: HubRequest[] = [];
  /** Sends a list slowly, or not at all. */
  isSilent = false;
  readonly #hub: ByteServer;
  readonly #cdn: ByteServer;
  readonly #served: (readonly Asked[])[] = [];
  #redirects = 0;

  private constructor(hub: ByteServer, cdn: ByteServer) {
    this.#hub = hub;
    this.#cdn = cdn;
  }

  static async start(): Promise<HubServer> {
    let server: HubServer | undefined;
    const hub = await ByteServer.start((request, response) => server?.answer(request, response));
    const cdn = await ByteServer.start();
    server = new HubServer(hub, cdn);
    return server;
  }

  close(): void {
    this.#hub.close();
    this.#cdn.close();
  }

  get endpoint(): string {
    return this.#hub.origin;
  }

  /** What the second server was asked for. */
  get fetched(): readonly Asked[] {
    return this.#served.flat();
  }

  /** The paths that the hub was asked for, without the endpoint. */
  get paths(): readonly string[] {
    return this.requests.map(({ url }) => url);
  }

  add(name: string, files: Files, more: Partial<Repository> = {}): Repository {
    const repository: Repository = { branches: new Map([['main', files]]), ...more };
    this.repositories.set(name, repository);
    return repository;
  }

  forget(): void {
    this.requests.length = 0;
    this.#served.length = 0;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const { authorization, range } = request.headers;
    const url = request.url ?? '';
    this.requests.push({ url, authorization, range });
    if (this.isSilent) {
      return;
    }
    const { pathname, searchParams } = new URL(url, this.endpoint);
    const list = /^\/api\/models\/([^/]+\/[^/]+)\/(revision|tree)\/([^/]+)$/.exec(pathname);
    const file = /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(pathname);
    const [, name = '', ...rest] = list ?? file ?? [];
    const repository = this.repositories.get(name);
    if (!repository) {
      return void refuse(response, 404, 'RepoNotFound');
    }
    const isPublic = list !== null && repository.isListPublic === true;
    if (repository.token !== undefined && !isPublic) {
      if (authorization === undefined) {
        return void refuse(response, 401, 'GatedRepo');
      }
      if (authorization !== `Bearer ${repository.token}`) {
        return void refuse(response, 403, 'GatedRepo');
      }
    }
    const revision = decodeURIComponent((list ? rest[1] : rest[0]) ?? '');
    const files = filesAt(repository, revision);
    if (!files) {
      return void refuse(response, 404, 'RevisionNotFound');
    }
    if (!list) {
      return void this.#send(repository, files, decodeURIComponent(rest[1] ?? ''), url, response);
    }
    if (rest[0] === 'revision') {
      return void sendJson(response, withList(repository, 'revision', factsOf(repository, files)));
    }
    this.#tree(
      repository,
      files,
      `${pathname}?recursive=true`,
      Number(searchParams.get('cursor')),
      response,
    );
  }

  #tree(
    repository: Repository,
    files: Files,
    path: string,
    cursor: number,
    response: ServerResponse,
  ): void {
    const { pageSize } = repository;
    if (pageSize === undefined) {
      return void refuse(response, 404, 'EntryNotFound');
    }
    const entries = [{ type: 'directory', path: 'folder', size: 0 }, ...[...files].map(treeEntry)];
    const next = cursor + pageSize;
    if (next < entries.length) {
      const link = `<${this.endpoint}${path}&cursor=${next}>; rel="next"`;
      response.setHeader('link', link);
    }
    sendJson(response, withList(repository, 'tree', entries.slice(cursor, next)));
  }

  #send(
    { isSmall = (path) => path.endsWith('.json') || path.endsWith('.txt'), manners }: Repository,
    files: Files,
    path: string,
    url: string,
    response: ServerResponse,
  ): void {
    const bytes = files.get(path);
    if (!bytes) {
      return void refuse(response, 404, 'EntryNotFound');
    }
    response.setHeader('x-repo-commit', commitOf(files));
    if (isSmall(path)) {
      response.writeHead(200, { etag: `W/"${sha256Of(bytes).slice(0, 40)}"` }).end(bytes);
      return;
    }
    const n = this.#redirects++;
    const name = `blobs/${sha256Of(bytes)}?signature=${n}`;
    const own = { content: contentOf(bytes), etag: `"cdn-${sha256Of(bytes).slice(0, 8)}"` };
    this.#served.push(this.#cdn.serve(name, { ...own, ...manners?.(path, n) }).asked);
    const location = `${this.#cdn.origin.replace('127.0.0.1', 'localhost')}/${name}`;
    response.writeHead(302, { location, 'x-linked-etag': `"${sha256Of(bytes)}"` }).end(url);
  }
}

function filesAt({ branches }: Repository, revision: string): Files | undefined {
  return branches.get(revision) ?? [...branches.values()].find((all) => commitOf(all) === revision);
}

function factsOf({ siblings }: Repository, files: Files): object {
  const sha = commitOf(files);
  if (siblings === 'none') {
    return { sha };
  }
  const list = [...files].map(([rfilename, bytes]) => {
    if (siblings === 'bare') {
      return { rfilename };
    }
    const lfs = { sha256: sha256Of(bytes), size: bytes.length, pointerSize: 130 };
    return { rfilename, size: bytes.length, ...(isLarge(rfilename) && { lfs }) };
  });
  return { id: 'model', sha, siblings: list };
}

function treeEntry([path, bytes]: readonly [string, Uint8Array]): object {
  const lfs = { oid: sha256Of(bytes), size: bytes.length, pointerSize: 130 };
  return { type: 'file', path, size: bytes.length, ...(isLarge(path) && { lfs }) };
}

function isLarge(path: string): boolean {
  return !/\.(json|txt|md)$/.test(path);
}

function withList({ list }: Repository, route: 'revision' | 'tree', body: unknown): unknown {
  return list ? list(route, body) : body;
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'x-error-code': code, 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: code }));
}
