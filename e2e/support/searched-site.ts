// A small site that is searched: its pages, its index by the built package, and a server with a strict policy that can hold
// answers back, or have none.
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSiteIndex } from 'ambry-site-search/build';
import { answerTo, type RangeSupport } from '../../tests/support/range-answers.ts';

const model = fileURLToPath(
  new URL('../../web/demo/public/models/english-static-336.weights', import.meta.url),
);

/** The policy in the README of site-search. */
export const securityPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'";

const style = `:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.6; }
body { margin: 0; }
header { display: flex; gap: 1rem; align-items: center; padding: 0.75rem 1.5rem; border-bottom: 1px solid #8886; }
header ambry-search { flex: 1; min-width: 0; max-width: 22rem; margin-inline-start: auto; }
main { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }`;

interface PageFacts {
  readonly kind: string;
  readonly lang?: string;
  readonly title: string;
  readonly body: string;
}

const pages: Readonly<Record<string, PageFacts>> = {
  'index.html': {
    kind: 'start',
    title: 'Lighthouse manual',
    body: '<h1>Lighthouse manual</h1><p>What keepers and visitors of the tower should know.</p>',
  },
  'guide/lamps.html': {
    kind: 'guide',
    title: 'Lamps',
    body: `<h1>Lamps</h1><p>A lamp burns in the tower every night.</p>
      <h2 id="clean">Cleaning the lens</h2><p>Wipe the lens with vinegar once a week, and dry it with a soft cloth.</p>
      <h2 id="replace">Replacing a lamp</h2><p>Let the lamp cool for an hour before you turn it out of its socket.</p>`,
  },
  'guide/fog.html': {
    kind: 'guide',
    title: 'Fog signals',
    body: '<h1>Fog signals</h1><p>Sound the horn when ships cannot see the lamp.</p>',
  },
  'history/keepers.html': {
    kind: 'history',
    title: 'Keepers',
    body: '<h1>Keepers</h1><p>Each keeper had the watch for four hours and trimmed the lamp.</p>',
  },
  'guide/illness.html': {
    kind: 'guide',
    title: 'Illness',
    body: '<h1>Illness</h1><p>A patient who is ill needs treatment: the physician comes by boat with medicine.</p>',
  },
  'de/nebel.html': {
    kind: 'guide',
    lang: 'de',
    title: 'Nebel',
    body: '<h1>Nebel</h1><p>Bei Nebel wird das Horn geblasen, bis das Wetter besser wird.</p>',
  },
  'ar/fog.html': {
    kind: 'guide',
    lang: 'ar',
    title: 'الضباب',
    body: '<h1>الضباب</h1><p>عندما يخفي الضباب المنارة يسمع البحارة البوق كل دقيقة.</p>',
  },
};

/** The box as most pages have it. */
export const usualBox = '<ambry-search facets="kind lang" hotkey="k /"></ambry-search>';

export function pageText({ kind, lang = 'en', title, body }: PageFacts, box = usualBox): string {
  const dir = lang === 'ar' ? 'rtl' : 'ltr';
  return `<!doctype html><html lang="${lang}" dir="${dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="stylesheet" href="/style.css"><script type="module" src="/search/ambry-search.js"></script></head>
<body><header><b>Lighthouse</b>${box}</header><main data-ambry-filter="kind:${kind}">${body}</main></body></html>`;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

type MeaningForm = 'words' | 'model';

/** Folders with the pages and their index, by the box of the pages and what gives queries their meaning. Each is built once, and
 *  every site is a copy. */
const builtSites = new Map<string, Promise<string>>();

function builtSite(meaning: MeaningForm, box?: string): Promise<string> {
  const key = JSON.stringify([meaning, box]);
  const built = builtSites.get(key) ?? buildSite(meaning, box);
  builtSites.set(key, built);
  return built;
}

async function buildSite(meaning: MeaningForm, box?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ambry-searched-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await writePage(folder, 'style.css', style);
  for (const [path, facts] of Object.entries(pages)) {
    await writePage(folder, path, pageText(facts, box));
  }
  await indexPages(folder, meaning);
  return folder;
}

async function writePage(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

const indexPages = (folder: string, meaning: MeaningForm) =>
  buildSiteIndex(folder, join(folder, 'search'), { model, meaning });

export class SearchedSite {
  readonly url: string;
  /** The paths that were asked for. */
  readonly requests: string[] = [];
  /** What the server does with range requests. */
  ranges: RangeSupport | undefined;
  /** Paths without a file. */
  readonly gone = new Set<RegExp>();
  readonly #folder: string;
  readonly #server: Server;
  readonly #meaning: MeaningForm;
  /** What is held back, by a pattern of its path. */
  readonly #held = new Map<RegExp, Promise<void>>();

  static async start(box?: string, meaning: MeaningForm = 'model'): Promise<SearchedSite> {
    const folder = await mkdtemp(join(tmpdir(), 'ambry-searched-'));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await cp(await builtSite(meaning, box), folder, { recursive: true });
    return new SearchedSite(folder, server, meaning);
  }

  private constructor(folder: string, server: Server, meaning: MeaningForm) {
    this.#folder = folder;
    this.#meaning = meaning;
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on('request', ({ url = '/', headers }, response: ServerResponse) => {
      const path = decodeURIComponent(new URL(url, this.url).pathname);
      this.#answer(path, this.ranges && headers.range, response);
    });
  }

  async write(path: string, text: string): Promise<void> {
    await writePage(this.#folder, path, text);
  }

  /** Builds the index of the pages as they are. */
  async index(): Promise<void> {
    await indexPages(this.#folder, this.#meaning);
  }

  /** Holds back the second half of such files until the returned function is called. */
  hold(pattern: RegExp): () => void {
    let release: () => void = () => {};
    this.#held.set(pattern, new Promise<void>((resolve) => (release = resolve)));
    return release;
  }

  count(pattern: RegExp): number {
    return this.requests.filter((path) => pattern.test(path)).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, { recursive: true });
  }

  async #answer(path: string, range: string | undefined, response: ServerResponse): Promise<void> {
    this.requests.push(path);
    response.setHeader('content-security-policy', securityPolicy);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('cache-control', 'no-store');
    const file = join(this.#folder, path.endsWith('/') ? `${path}index.html` : path);
    const isGone = [...this.gone].some((pattern) => pattern.test(path));
    const bytes = isGone ? undefined : await readFile(file).catch(() => undefined);
    if (path === '/favicon.ico') {
      response.writeHead(204).end();
    } else if (!bytes) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
    } else if (range !== undefined) {
      const answer = answerTo(bytes, range, this.ranges);
      response.writeHead(answer.status, answer.headers).end(answer.bytes);
    } else {
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
      response.setHeader('content-length', bytes.length);
      const held = [...this.#held].find(([pattern]) => pattern.test(path))?.[1];
      const middle = held ? bytes.length >> 1 : 0;
      response.write(bytes.subarray(0, middle));
      await held;
      response.end(bytes.subarray(middle));
    }
  }
}
