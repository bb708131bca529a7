// The script that lies beside an index, as the package has it: small, whole, and without code from strings.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { elementBanner, elementFolder, elementScript } from '../../src/shared/element-paths.ts';

const browser = fileURLToPath(new URL('../../dist/browser/', import.meta.url));
const names = readdirSync(join(browser, elementFolder)).map((name) => `${elementFolder}/${name}`);
const scripts = [elementScript, ...names.filter((name) => name.endsWith('.js'))];
const read = (name: string) => readFileSync(join(browser, name), 'utf8');

test('all names but that of the script have a hash', () => {
  expect(readdirSync(browser).sort()).toEqual([elementScript, elementFolder].sort());
  expect(names.filter((name) => !/-[\w-]{8}\.(js|css|wasm)$/.test(name))).toEqual([]);
  expect(read(elementScript).startsWith(elementBanner)).toBe(true);
});

test('what a script fetches is there', () => {
  const fetched = scripts.flatMap((name) =>
    [...read(name).matchAll(/["'`](\.{0,2}\/?[\w./-]+-[\w-]{8}\.(?:js|css|wasm))["'`]/g)].map(
      ([, path = '']) => join(dirname(name), path),
    ),
  );
  expect(new Set(fetched).size).toBeGreaterThan(30);
  expect(fetched.filter((path) => !existsSync(join(browser, path)))).toEqual([]);
});

test('a library in a script has its license there', () => {
  const stemmers = names.filter((name) => /\/[a-z]{2}-[\w-]{8}\.js$/.test(name));
  expect(stemmers.length).toBeGreaterThan(20);
  for (const name of stemmers) {
    expect(read(name), name).toMatch(/^\/\*! [^*]*Apache License/);
  }
});

test('no script makes code from strings', () => {
  for (const name of scripts) {
    expect(read(name), name).not.toMatch(/\bnew Function\b|\beval\(/);
  }
});

test.each([
  [/^ambry-search\.js$/, 11_900],
  // Names of files have hashes, by which the size differs by a hundred bytes from build to build.
  [/\/open-search-/, 23_000],
  [/\/static-worker-/, 18_900],
  [/\/ambry-static-small-baseline-.*\.wasm$/, 75_000],
])('%s has at most %i bytes after Brotli', (pattern, most) => {
  const found = [elementScript, ...names].filter((name) => pattern.test(name));
  expect(found).toHaveLength(1);
  const bytes = brotliCompressSync(readFileSync(join(browser, found[0] as string))).length;
  expect(bytes).toBeLessThan(most);
});
