// The packages as registries and editors look at them: publint's rules, types that resolve, and what the command that publishes asks
// of each (packages/build/publish.mjs). publish-check.test.ts shows that it finds faults.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { checkPackages } from '../../packages/build/publish/check.mjs';
import { readPackages } from '../../packages/build/publish/packages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const names = readPackages(root).map(({ name }) => name);
let faults: readonly string[] = [];
/** Bytes of the tarball of `ambry`. */
let size = 0;

beforeAll(async () => {
  const report = await checkPackages(root, (staged) => {
    const tarball = staged.find(({ name }) => name === 'ambry')?.tarball ?? '';
    size = readFileSync(tarball).length;
  });
  faults = report.faults;
}, 600_000);

test.each(names)('%s is ready to be published', (name) => {
  expect(faults.filter((fault) => fault.startsWith(`${name}: `))).toEqual([]);
});

test('ambry comes first, and all packages are there', () => {
  expect(names[0]).toBe('ambry');
  expect(names.length).toBeGreaterThan(12);
  expect(names).not.toContain('@ambry/docs');
});

test('ambry has at most 4.98 MB', () => {
  const found = `ambry is ${(size / 1e6).toFixed(3)} MB packed`;
  console.log(found);
  const advice = 'Move what few users need to a package of its own (packages/README.md)';
  expect(size).toBeGreaterThan(1_000_000);
  expect(size, `${found}, and 4.98 are allowed. ${advice}.`).toBeLessThanOrEqual(4_980_000);
});
