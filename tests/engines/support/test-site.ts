// The sites under test: the built pages as `ambry demo` serves them, with its policy and one more script that notes
// problems; the same without any way to keep data; a page with the package alone; and a static site that is searched.

import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSiteIndex } from 'ambry-site-search/build';
import { build } from 'vite';
import { makeSiteServer } from '../../../packages/demo/src/site-server.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const ownFiles = fileURLToPath(new URL('../site/', import.meta.url));

export interface TestSite {
  /** Ends with a slash. */
  readonly url: string;
  close(): Promise<void>;
}

async function serve(folder: string): Promise<TestSite> {
  const server: Server = makeSiteServer(folder);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await removeTemporaryFolder(folder);
    },
  };
}

/** Takes every way to keep data from the pages and the workers. */
async function removeStorage(folder: string): Promise<void> {
  const removal = await readFile(join(ownFiles, 'no-storage.js'), 'utf8');
  await addFirstScript(folder, removal);
  for (const file of await readdir(folder, { recursive: true })) {
    if (!/-worker-[^/]*\.js$/.test(file)) {
      continue;
    }
    const path = join(folder, file);
    await writeFile(path, `${removal}\n${await readFile(path, 'utf8')}`);
  }
}

/** The built pages. With `storage: false`, pages and workers find no way to keep data. */
export async function servePages({ storage }: { readonly storage: boolean }): Promise<TestSite> {
  const folder = await makeTemporaryFolder();
  await cp(join(root, 'packages/demo/site'), folder, { recursive: true });
  await (storage ? addFirstScript(folder) : removeStorage(folder));
  return serve(folder);
}

/** The built pages as they are. The service worker refuses pages that were changed after the build. */
export async function serveBuiltPages(): Promise<TestSite> {
  const folder = await makeTemporaryFolder();
  await cp(join(root, 'packages/demo/site'), folder, { recursive: true });
  return serve(folder);
}

/** Copies the script that comes first to the folder, and names it in every page there. */
async function addFirstScript(folder: string, more = ''): Promise<void> {
  const watch = await readFile(join(ownFiles, 'watch.js'), 'utf8');
  await writeFile(join(folder, 'test-first.js'), watch + more);
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.html')) {
      continue;
    }
    const path = join(folder, file);
    const html = await readFile(path, 'utf8');
    await writeFile(path, html.replace('<head>', '<head><script src="/test-first.js"></script>'));
  }
}

/** A page with the package, bundled as its users do, that has the functions `runParityJob` and `runKeeping`. It finds
 *  these files in `files/`. */
export async function servePackage(
  files: ReadonlyMap<string, Uint8Array>,
  { storage }: { readonly storage: boolean },
): Promise<TestSite> {
  const folder = await makeTemporaryFolder();
  await build({
    root: ownFiles,
    logLevel: 'error',
    publicDir: false,
    worker: { format: 'es' },
    build: {
      outDir: folder,
      target: 'es2022',
      minify: false,
      assetsInlineLimit: 0,
      modulePreload: false,
    },
  });
  await (storage ? addFirstScript(folder) : removeStorage(folder));
  await mkdir(join(folder, 'files'));
  for (const [name, bytes] of files) {
    await writeFile(join(folder, 'files', name), bytes);
  }
  return serve(folder);
}

const searchedPage = (title: string, kind: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<script type="module" src="/search/ambry-search.js"></script></head>
<body><ambry-search facets="kind"></ambry-search><main data-ambry-filter="kind:${kind}">${body}</main></body></html>`;

const searchedPages: Readonly<Record<string, string>> = {
  'index.html': searchedPage('Manual', 'start', '<h1>Manual</h1><p>What keepers should know.</p>'),
  'guide/lamps.html': searchedPage(
    'Lamps',
    'guide',
    `<h1>Lamps</h1><p>A lamp burns in the tower every night.</p><h2 id="clean">Cleaning the lens</h2>
    <p>Wipe the lens with vinegar once a week until the glass shines.</p>`,
  ),
  'guide/illness.html': searchedPage(
    'Illness',
    'guide',
    '<h1>Illness</h1><p>When a keeper is ill, the physician comes by boat with medicine.</p>',
  ),
  'guide/fog.html': searchedPage('Fog', 'guide', '<h1>Fog</h1><p>Sound the horn in thick fog.</p>'),
};

/** A static site with an index by the built package. */
export async function serveSearchedSite(): Promise<TestSite> {
  const folder = await makeTemporaryFolder();
  for (const [path, html] of Object.entries(searchedPages)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), html);
  }
  const model = join(root, 'web/demo/public/models/english-static-336.weights');
  await buildSiteIndex(folder, join(folder, 'search'), { model, meaning: 'model' });
  await addFirstScript(folder);
  return serve(folder);
}
