// The sites under test: the built pages as `ambry demo` serves them, with its policy and one more script that notes
// problems; the same without any way to keep data; and a page with the package alone.

import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
    if (!/-worker-[^/]*\.js$/.test(file)) continue;
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

/** Copies the script that comes first to the folder, and names it in every page there. */
async function addFirstScript(folder: string, more = ''): Promise<void> {
  const watch = await readFile(join(ownFiles, 'watch.js'), 'utf8');
  await writeFile(join(folder, 'test-first.js'), watch + more);
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.html')) continue;
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
  for (const [name, bytes] of files) await writeFile(join(folder, 'files', name), bytes);
  return serve(folder);
}
