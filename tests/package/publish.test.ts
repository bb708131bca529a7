// The packages as registries and editors look at them: publint's rules, and types that resolve.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'ambry-packed-'));
afterAll(() => rmSync(scratch, { recursive: true }));

// packages/build has the code that builds them.
const folders = [
  root,
  ...globSync('packages/*/package.json', { cwd: root }).map((path) => join(root, dirname(path))),
];
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };

/** The demo pages are no library, and take long to pack. */
const libraries = folders.filter((folder) => manifestOf(folder).name !== 'ambry-demo');
// One npm packs them all: starting it takes longer than most of them.
const args = ['pack', ...libraries, '--ignore-scripts', '--pack-destination', scratch];
execFileSync('npm', args, { cwd: root, stdio: 'ignore' });

function packed(folder: string): Buffer<ArrayBuffer> {
  const { name, version } = manifestOf(folder);
  return Buffer.from(readFileSync(join(scratch, `${name}-${version}.tgz`)));
}

function tarballOf(folder: string): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = packed(folder);
  return buffer.slice(byteOffset, byteOffset + byteLength);
}

describe.each(folders.map((folder) => [manifestOf(folder).name, folder]))('%s', (_, folder) => {
  test('is clean by publint', async () => {
    const what = libraries.includes(folder)
      ? { pack: { tarball: tarballOf(folder) } }
      : { pack: 'npm' as const, pkgDir: folder };
    const { messages } = await publint({ ...what, strict: true });
    const manifest = manifestOf(folder);
    expect(messages.map((message) => formatMessage(message, manifest as never))).toEqual([]);
  });

  test.skipIf(!libraries.includes(folder))('has types that resolve where modules do', async () => {
    const result = await checkPackage(createPackageFromTarballData(packed(folder)), {
      // What compiles components of Astro knows their types.
      excludeEntrypoints: [/\.wasm$/, /\.astro$/],
    });
    const problems = 'problems' in result ? result.problems : [{ kind: 'NoTypes' }];
    // Old ways to resolve that know no exports, and require() of modules, which Node has from 20.19 on.
    const isOld = (problem: object) =>
      'resolutionKind' in problem &&
      ['node10', 'node16-cjs'].includes(String(problem.resolutionKind));
    expect(problems.filter((problem) => !isOld(problem))).toEqual([]);
  });
});

test('ambry has at most 4.0 MB', () => {
  const size = packed(root).length;
  const found = `ambry is ${(size / 1e6).toFixed(3)} MB packed`;
  console.log(found);
  const advice = 'Move what few users need to a package of its own (packages/README.md)';
  expect(size, `${found}, and 4.0 are allowed. ${advice}.`).toBeLessThanOrEqual(4_000_000);
});
