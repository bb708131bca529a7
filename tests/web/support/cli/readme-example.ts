// Runs an example of a package's README, as a program of somebody who installed the package.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

/** What the first example in JavaScript prints, where these files are. Rejects with what it writes to standard error. */
export async function runReadmeExample(
  readme: URL,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<string> {
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(await readFile(readme, 'utf8')) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'ambry-readme-'));
  try {
    await symlink(modules, join(folder, 'node_modules'));
    await writeFile(join(folder, 'example.mjs'), code);
    for (const [name, bytes] of Object.entries(files)) {
      await writeFile(join(folder, name), bytes);
    }
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function run(folder: string): Promise<string> {
  const child = spawn(process.execPath, ['example.mjs'], {
    cwd: folder,
    stdio: 'pipe',
    timeout: 55_000,
  });
  const [out, err] = [text(child.stdout), text(child.stderr)];
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) {
    throw new Error(await err);
  }
  return out;
}
