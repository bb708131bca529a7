// Does what the README says first, in an empty folder: installs the packed packages, runs the program, and opens the page.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import send from 'send';
import { blocksOf, root } from '../../tests/docs/support/code-blocks.ts';
import { installPackage } from '../../tests/package/install.ts';
import { expect, test } from '../fixtures.ts';

const blocks = blocksOf('README.md', readFileSync(join(root, 'README.md'), 'utf8'));
const [install, program, pageBlock] = ['sh', 'js', 'html'].map(
  (language) => blocks.find((block) => block.language === language)?.code ?? '',
);
const answer = 'Bread rises because yeast makes gas.';

let folder = '';
test.beforeAll(() => {
  test.setTimeout(180_000);
  folder = mkdtempSync(join(tmpdir(), 'ambry-first-'));
  const [, names = ''] = /^npm install ([\w -]+?) *#/.exec(install ?? '') ?? [];
  for (const name of names.split(' ')) {
    installPackage(folder, name === 'ambry' ? root : join(root, 'packages', name.slice(6)));
  }
});
test.afterAll(() => rmSync(folder, { recursive: true }));

test('the program of the README runs as it is pasted, without the network', () => {
  writeFileSync(join(folder, 'first.mjs'), program ?? '');
  // Refuses requests to other machines.
  const offline = pathToFileURL(join(root, 'tests/docs/support/network.mjs')).href;
  const printed = execFileSync(process.execPath, ['first.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    // Playwright asks for colours.
    env: { ...process.env, FORCE_COLOR: '0', NODE_OPTIONS: `--import ${offline}` },
  });
  expect(printed).toBe(`1 ${answer}\n`);
});

test('the page of the README runs from any server of files', async ({ page }) => {
  writeFileSync(join(folder, 'first.html'), pageBlock ?? '');
  const site = createServer((request, response) => {
    send(request, request.url ?? '/', { root: folder }).pipe(response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => site.once('listening', resolve));
  try {
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/first.html`);
    await expect(page.getByText(answer)).toBeVisible({ timeout: 60_000 });
  } finally {
    site.closeAllConnections();
    site.close();
  }
});
