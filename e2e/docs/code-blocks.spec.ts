// The code blocks of the documentation that are for pages: built by Vite, and run in Chromium under the strict policy.
// tests/docs/code-blocks.test.ts checks their types and runs the others.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as ambry from 'ambry';
import * as passages from 'ambry/passages';
import { build } from 'vite';
import { allBlocks } from '../../tests/docs/support/code-blocks.ts';
import {
  fileOf,
  programOf,
  readerFileInPages,
  runsInPage,
} from '../../tests/docs/support/programs.ts';
import { makeReader, type Reader, serveStrictly } from '../../tests/docs/support/reader.ts';
import { expect, test } from '../fixtures.ts';

const blocks = allBlocks().filter(runsInPage);
const names = new Map(
  Object.entries({ ambry, 'ambry/passages': passages }).map(([entry, exported]) => [
    entry,
    Object.keys(exported),
  ]),
);

/** Runs the program that the address names, and shows how it ended. */
const mainScript = `
const programs = import.meta.glob('./programs/*.ts');
const show = (text) => { document.querySelector('output').textContent = text; };
const load = programs['./programs/' + location.hash.slice(1)];
load().then(({ run }) => run()).then(() => show('done'), (error) => show(String(error.stack ?? error)));
`;

let reader: Reader;
let server: Server;
let site = '';

test.beforeAll(async () => {
  test.setTimeout(180_000);
  reader = await makeReader();
  const app = join(reader.folder, 'app');
  mkdirSync(join(app, 'programs'), { recursive: true });
  writeFileSync(
    join(app, 'index.html'),
    '<!doctype html><title>Examples</title><link rel="icon" href="data:,"><output></output><script type="module" src="/main.js"></script>',
  );
  writeFileSync(join(app, 'main.js'), mainScript);
  writeFileSync(join(app, 'programs/reader-file.ts'), readerFileInPages);
  for (const block of blocks) {
    writeFileSync(join(app, 'programs', fileOf(block)), programOf(block, names));
  }
  const outDir = join(reader.folder, 'site');
  await build({
    root: app,
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir, target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
  });
  for (const name of reader.fileNames) {
    cpSync(join(reader.folder, name), join(outDir, name), { recursive: true });
  }
  server = await serveStrictly(outDir);
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

test.afterAll(() => {
  server?.closeAllConnections();
  server?.close();
  reader?.close();
});

for (const block of blocks) {
  test(`${block.page}:${block.line} runs in a page`, async ({ page, browserErrors }) => {
    // Files of a directory that it may have and lacks.
    browserErrors.expect(/status of 404/);
    await page.goto(`${site}#${fileOf(block)}`);
    await expect(page.locator('output')).not.toBeEmpty();
    await expect(page.locator('output')).toHaveText('done');
  });
}
