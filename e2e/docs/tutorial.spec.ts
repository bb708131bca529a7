// Does what docs/tutorial.md says, in a new folder: saves its files, runs its commands, and opens its page.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import send from 'send';
import { blocksOf, root } from '../../tests/docs/support/code-blocks.ts';
import { installPackage } from '../../tests/package/install.ts';
import { expect, test } from '../fixtures.ts';

const tutorial = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');
const blocks = blocksOf('docs/tutorial.md', tutorial);
const lines = tutorial.split('\n');

let app = '';
test.beforeAll(() => {
  app = mkdtempSync(join(tmpdir(), 'ambry-tutorial-'));
});
test.afterAll(() => rmSync(app, { recursive: true }));

/** The file as which the text before a block says to save it. */
const fileName = (line: number): string | undefined =>
  /\b(?:[Tt]his|notes) as `([^`]+)`:$/.exec(lines[line - 3] ?? '')?.[1];

/** What npm would install, without asking the registry. */
const installs: Readonly<Record<string, () => void>> = {
  'npm install ambry': () => void installPackage(app),
  'npm install --save-dev ambry-models': () => {
    symlinkSync(join(root, 'packages/models'), join(app, 'node_modules/ambry-models'));
  },
  'npm install --save-dev vite': () => {
    symlinkSync(join(root, 'node_modules/.bin'), join(app, 'node_modules/.bin'));
  },
};

function runCommands(code: string): string {
  const outputs = code
    .trimEnd()
    .split('\n')
    .map((line) => {
      const install = installs[line];
      if (install) {
        return install();
      }
      return execFileSync('bash', ['-c', line], { cwd: app, encoding: 'utf8' });
    });
  return outputs.join('');
}

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1');
  await new Promise((resolve) => socket.once('listening', resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise((resolve) => socket.close(resolve));
  return port;
}

async function startVite(): Promise<{ vite: ChildProcess; address: string }> {
  const port = String(await freePort());
  const vite = spawn('npx', ['vite', '--host', '127.0.0.1', '--port', port], {
    cwd: app,
    detached: true,
  });
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    const listen = (chunk: Buffer) => {
      output += stripVTControlCharacters(String(chunk));
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(output);
      if (found) {
        resolve(found[0]);
      }
    };
    vite.stdout?.on('data', listen);
    vite.stderr?.on('data', listen);
    vite.once('exit', () => reject(new Error(`vite ended: ${output}`)));
  });
  return { vite, address };
}

async function tryPage(page: Page, address: string): Promise<void> {
  await page.goto(address);
  const question = page.getByRole('searchbox', { name: 'Question' });
  await expect(question).toBeEnabled({ timeout: 60_000 });
  const [, asked = ''] = /^Type `([^`]+)`/m.exec(tutorial) ?? [];
  await question.fill(asked);
  await expect(page.getByRole('listitem').first()).toContainText('Tides follow the moon.');
}

/** The files of code in the built site, and those that the page asks for. */
function countCode(page: Page): { readonly built: string[]; readonly asked: Set<string> } {
  const assets = join(app, 'dist/assets');
  const built = readdirSync(assets).map((name) => join(assets, name));
  const asked = new Set<string>();
  page.context().on('request', (request) => {
    const path = join(app, 'dist', new URL(request.url()).pathname);
    if (built.includes(path)) {
      asked.add(path);
    }
  });
  return { built, asked };
}

/** What the tutorial says of the size of its site is true. */
function checkSizes({ built, asked }: ReturnType<typeof countCode>): void {
  const megabytes = built.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6;
  const sizes = [...asked].map((path) => brotliCompressSync(readFileSync(path)).length);
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  console.log(
    `${megabytes.toFixed(2)} MB in ${built.length} files, ${kilobytes.toFixed(0)} KB asked for`,
  );
  const [, stated, files] =
    /has (\d+\.\d) MB of code\s+and\s+WebAssembly\s+in (\d+)\s+files/.exec(tutorial) ?? [];
  const [, downloaded] = /A\s+visitor downloads about (\d+) KB/.exec(tutorial) ?? [];
  expect(megabytes).toBeLessThanOrEqual(2.8);
  expect(Number(stated)).toBeCloseTo(megabytes, 1);
  expect(Math.abs(Number(files) - built.length)).toBeLessThan(4);
  expect(Math.abs(Number(downloaded) - kilobytes)).toBeLessThan(8);
}

test('the tutorial works as it stands', async ({ page }) => {
  test.setTimeout(300_000);
  let printed = '';
  for (const { language, code, line } of blocks) {
    const name = fileName(line);
    if (name !== undefined) {
      writeFileSync(join(app, name), code);
    } else if (language === 'text') {
      expect(printed).toBe(code);
    } else if (code === 'npx vite\n') {
      const { vite, address } = await startVite();
      try {
        await tryPage(page, address);
      } finally {
        process.kill(-(vite.pid as number));
      }
    } else {
      expect(language, `the block in line ${line} is neither a file nor a command`).toBe('sh');
      printed = runCommands(code);
    }
  }
  const site = createServer((request, response) => {
    send(request, request.url ?? '/', { root: join(app, 'dist') }).pipe(response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => site.once('listening', resolve));
  const code = countCode(page);
  await tryPage(page, `http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  site.closeAllConnections();
  site.close();
  checkSizes(code);
});
