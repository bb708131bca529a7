// The command `ambry-demo` has the options of `ambry demo`.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const demo = (...words: string[]) => run(process.execPath, [at('../dist/main.js'), ...words]);
const ambry = (...words: string[]) =>
  run(process.execPath, [at('../../../dist/cli/main.js'), ...words]);

test('its help is that of the other command', async () => {
  const { stdout: help } = await demo('--help');
  const { stdout } = await ambry('help', 'demo');
  expect(help).toBe(stdout.replaceAll('ambry demo', 'ambry-demo'));
  for (const option of ['--port N', '--isolated', '--json']) {
    expect(help).toContain(option);
  }
  expect((await demo('-h')).stdout).toBe(help);
});

test('it refuses other options, and ports that are none', async () => {
  await expect(demo('--prot', '3000')).rejects.toMatchObject({ code: 2 });
  await expect(demo('--port', 'here', '--json')).rejects.toMatchObject({
    code: 2,
    stdout: expect.stringContaining('"path":"--port"'),
  });
});

test('the documentation is where the help of ambry and the server say', async () => {
  const { stdout } = await ambry('--help');
  expect(stdout).toContain('ambry-demo has the documentation: "ambry demo" serves it at /docs/');
  const server = spawn(process.execPath, [at('../../../dist/cli/main.js'), 'demo', '--port', '0']);
  try {
    const [said] = (await once(server.stdout, 'data')) as [Buffer];
    const [, address = ''] = /the documentation at (\S+)/.exec(said.toString()) ?? [];
    expect(address).toMatch(/\/docs\/$/);
    const page = await fetch(address);
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(/<title>[^<]*Ambry/);
  } finally {
    server.kill('SIGINT');
    await once(server, 'close');
  }
});
