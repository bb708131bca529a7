// `ambry demo` where the package ambry-demo is not installed: npm fetches and runs it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '../../support/cli/cli.ts';
import { type NpmRegistry, startNpmRegistry } from '../../support/servers/npm-registry.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** Far from the node_modules of the repository. */
const folder = mkdtempSync(join(tmpdir(), 'ambry-far-'));
const main = join(folder, 'dist/cli/main.js');
let registry: NpmRegistry;
let environment: Record<string, string>;

beforeAll(async () => {
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  registry = await startNpmRegistry();
  environment = {
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'cache'),
    npm_config_update_notifier: 'false',
    npm_execpath: '',
  };
});
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true });
});

/** npm would find the package in the repository. */
const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [main, 'demo', ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
  });

test('npm fetches the package with what it needs, and its server runs until Ctrl-C', async () => {
  const child = start('--port', '0', '--json');
  const closed = once(child, 'close');
  let notes = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    notes += chunk.toString();
  });
  const [line] = (await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data'),
    closed.then(() => [Buffer.from(notes)]),
  ])) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<!doctype html>');
  expect(registry.downloads).toEqual(expect.arrayContaining(['ambry-demo', 'send']));
  expect(notes).toMatch(/^ambry-demo is not installed\. npm runs it: npx ambry-demo@\d/);
  child.kill('SIGINT');
  expect(await closed).toEqual([0, null]);
  await expect(fetch(url)).rejects.toThrow();
});

test('its help says what npm does, and asks npm for nothing', async () => {
  const before = registry.downloads.length;
  const { code, out } = await runProgram([main, 'demo', '--help'], undefined, environment);
  expect(code).toBe(0);
  expect(out.replaceAll(/\s+/g, ' ')).toContain('npm fetches it into its cache and runs it.');
  expect(registry.downloads).toHaveLength(before);
});

test('the package refuses wrong options', async () => {
  const child = start('--port', 'x');
  let notes = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    notes += chunk.toString();
  });
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(notes).toMatch(/--port: "x" is no number/);
});

test('without npm, an error says what to install', async () => {
  const { code, err } = await runProgram([main, 'demo'], undefined, { ...environment, PATH: '' });
  expect(code).toBe(2);
  expect(err).toMatch(/npm does not start here\. Install ambry-demo beside ambry\./);
});
