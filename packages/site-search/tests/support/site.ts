// Small sites for tests: their files, their index, and a server for both.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { answerTo, type RangeSupport } from '../../../../tests/support/range-answers.ts';
import { buildSiteIndex } from '../../src/build/build-site-index.ts';
import type { BuildOptions, BuildResult } from '../../src/build/options.ts';

/** The static encoder of the search page. */
export const modelPath: string = fileURLToPath(
  new URL('../../../../web/demo/public/models/english-static-336.weights', import.meta.url),
);

export type Pages = Readonly<Record<string, string | Uint8Array>>;

/** A folder that goes when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ambry-site-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writePages(folder: string, pages: Pages): void {
  for (const [path, content] of Object.entries(pages)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

export interface TestSite {
  readonly folder: string;
  readonly out: string;
  readonly result: BuildResult;
  /** Builds it again. */
  readonly rebuild: (options?: BuildOptions) => Promise<BuildResult>;
}

/** A site with an index in its folder `search`, without the script of the element. Its readers download the model. */
export async function makeSite(pages: Pages, options: BuildOptions = {}): Promise<TestSite> {
  const folder = temporaryFolder();
  const out = join(folder, 'search');
  writePages(folder, pages);
  const rebuild = (more: BuildOptions = {}) =>
    buildSiteIndex(folder, out, {
      model: modelPath,
      meaning: 'model',
      element: false,
      ...options,
      ...more,
    });
  return { folder, out, result: await rebuild(), rebuild };
}

export interface SiteServer {
  /** The address of the index. */
  readonly url: string;
  /** The paths that were asked for, since the last `clear`. */
  readonly requests: { readonly path: string; readonly bytes: number }[];
  /** Answers for paths instead of files: `undefined` is 404. */
  readonly replaced: Map<RegExp, string | Uint8Array | undefined>;
}

/** Serves a folder on a free port until the test ends. `ranges` is what it does with range requests; by default nothing. */
export async function serveSite(
  folder: string,
  index = 'search/',
  ranges?: RangeSupport,
): Promise<SiteServer> {
  const requests: SiteServer['requests'] = [];
  const replaced: SiteServer['replaced'] = new Map();
  const server = createServer(async (request, response) => {
    const { url = '/' } = request;
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    const rule = [...replaced].find(([pattern]) => pattern.test(path));
    const body = rule ? rule[1] : await readFile(join(folder, path)).catch(() => undefined);
    const { status, headers, bytes } =
      body === undefined
        ? { status: 404, headers: {}, bytes: Buffer.alloc(0) }
        : answerTo(Buffer.from(body), ranges && request.headers.range, ranges);
    requests.push({ path, bytes: bytes.length });
    response.writeHead(status, headers).end(bytes);
  });
  await listening(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/${index}`, requests, replaced };
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

export const page = (title: string, body: string, lang = 'en'): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title></head><body><main>${body}</main></body></html>`;

/** Three pages on different subjects. */
export const animals: Pages = {
  'index.html': page('Animals', '<h1>Animals</h1><p>All about animals that live with people.</p>'),
  'cats.html': page(
    'Cats',
    `<h1 id="cats">Cats</h1><p>Cats purr when they are content.</p>
     <h2 id="food">Feeding</h2><p>Kittens eat small meals of meat and fish several times a day.</p>
     <h2 id="sleep">Sleeping</h2><p>A cat sleeps for most of the day and hunts at dusk.</p>
     <span data-ambry-filter="kind:pet"></span>`,
  ),
  'ships/sails.html': page(
    'Sails',
    `<h1>Sails</h1><p>A sail catches the wind and moves the boat.</p>
     <h2 id="storms">Storms</h2><p>In a gale sailors take in the canvas so that the mast does not break.</p>
     <span data-ambry-filter="kind:vehicle"></span>`,
  ),
};
