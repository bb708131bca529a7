// A server that does to one file what broken servers, proxies and deployments do, drawn from a seeded generator: it
// replaces the file between two requests, leaves out or damages headers, sends other bytes than it was asked for, drops
// connections and fails. It never names two versions alike, because nothing can tell these apart.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** Numbers in [0, 1) that depend on the seed only (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How the server names versions. The file's versions are seconds apart, or within the same second. */
const namings = ['strong', 'weak', 'date', 'weak and date', 'fresh date', 'none'] as const;

const longAgo = Date.parse('Sat, 21 Nov 2020 10:00:00 GMT');
const dateOf = (ms: number) => new Date(ms).toUTCString();

interface Part {
  readonly begin: number;
  readonly end: number;
}

export class HostileServer {
  readonly #random: () => number;
  readonly #versions: readonly Uint8Array[];
  readonly #naming: (typeof namings)[number];
  readonly #hasRanges: boolean;
  readonly #mood: number;
  readonly #fails: boolean;
  #version: number;
  requests = 0;

  /** Without `fails`, all requests are answered, and no connection breaks. `first` is the version to begin with. */
  constructor(seed: number, versions: readonly Uint8Array[], fails = true, first = 0) {
    this.#fails = fails;
    this.#version = first;
    this.#random = randomOf(seed);
    this.#versions = versions;
    this.#naming = this.#pick(namings);
    this.#hasRanges = this.#chance(0.7);
    this.#mood = this.#pick([0.1, 0.4, 0.8]);
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests++;
    const mayChange = this.requests > 1 && this.#version + 1 < this.#versions.length;
    if (mayChange && this.#chance(0.25)) {
      this.#version++;
    }
    if (this.#fails && this.#chance(this.#mood * 0.15)) {
      this.#fail(response);
      return;
    }
    const file = this.#versions[this.#version] as Uint8Array;
    const part = this.#partFor(request, file);
    if (part && part.begin >= part.end) {
      this.#pastEnd(response, file);
    } else {
      this.#send(response, file, part);
    }
  }

  /** No answer, a status without the file, or a page of the host. */
  #fail(response: ServerResponse): void {
    const how = this.#pick(['drop', 503, 404, 304, 'page'] as const);
    if (how === 'drop') {
      return void response.destroy();
    }
    if (how !== 'page') {
      return void response.writeHead(how).end();
    }
    response.writeHead(200, { 'content-type': 'text/html', etag: '"page"' });
    response.end('<!doctype html><title>Sign in</title>');
  }

  #pastEnd(response: ServerResponse, file: Uint8Array): void {
    const range = this.#chance(this.#mood) ? {} : { 'content-range': `bytes */${file.length}` };
    response.writeHead(416, { ...range, ...(this.#chance(0.5) && this.#names()) }).end();
  }

  /** What it sends of the file; all of it if this is undefined. Some servers do not know If-Range. */
  #partFor({ headers }: IncomingMessage, file: Uint8Array): Part | undefined {
    const match = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '');
    if (!match || !this.#hasRanges || this.#chance(this.#mood * 0.1)) {
      return undefined;
    }
    const isKnown = headers['if-range'] !== undefined && !this.#chance(this.#mood * 0.5);
    if (isKnown && headers['if-range'] !== this.#names().etag) {
      return undefined;
    }
    const asked = { begin: Number(match[1]), end: match[2] ? Number(match[2]) + 1 : file.length };
    const shift = this.#chance(this.#mood * 0.15) ? Math.floor(this.#random() * 2000) - 1000 : 0;
    const begin = Math.max(asked.begin + shift, 0);
    const whole = Math.min(asked.end, file.length);
    const end = this.#chance(this.#mood * 0.15) ? Math.ceil((begin + whole) / 2) : whole;
    return { begin, end };
  }

  #send(response: ServerResponse, file: Uint8Array, part?: Part): void {
    const { begin, end } = part ?? { begin: 0, end: file.length };
    const headers: Record<string, string> = {};
    if (part && !this.#chance(this.#mood * 0.2)) {
      headers['content-range'] = this.#range(part, file);
    }
    if (this.#chance(this.#mood * 0.1)) {
      headers['content-type'] = 'multipart/byteranges; boundary=x';
    }
    if (!part || !this.#chance(this.#mood * 0.3)) {
      Object.assign(headers, this.#names());
    }
    let body = file.subarray(begin, end);
    if (this.#chance(this.#mood * 0.1)) {
      headers['content-encoding'] = 'gzip';
      body = gzipSync(body, { level: 0 });
    }
    if (!this.#chance(0.3)) {
      headers['content-length'] = `${body.length}`;
    }
    response.writeHead(part ? 206 : 200, headers);
    if (!this.#fails || !this.#chance(this.#mood)) {
      return void response.end(body);
    }
    const sent = Math.floor(this.#random() * body.length);
    response.write(body.subarray(0, sent), () => setTimeout(() => response.destroy(), 5));
  }

  #range({ begin, end }: Part, file: Uint8Array): string {
    const total = this.#chance(this.#mood * 0.1) ? '*' : file.length;
    const odd = this.#pick(['bytes', `bytes ${begin}-${begin - 1}/${total}`, 'bytes 0-0/x']);
    return this.#chance(this.#mood * 0.1) ? odd : `bytes ${begin}-${end - 1}/${total}`;
  }

  #names(): { etag?: string; 'last-modified'?: string; date?: string } {
    const tag = `"v${this.#version}"`;
    const modified = { 'last-modified': dateOf(longAgo + this.#version * 1000) };
    switch (this.#naming) {
      case 'strong':
        return { etag: tag, ...modified };
      case 'weak':
        return { etag: `W/${tag}` };
      case 'date':
        return modified;
      case 'weak and date':
        return { etag: 'W/"same"', ...modified };
      case 'fresh date':
        // All versions are of one second, which is now.
        return { 'last-modified': dateOf(longAgo), date: dateOf(longAgo) };
      case 'none':
        return {};
    }
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }
}
