// Messages end with one full stop: a reason that a sentence takes in may have its own, which withoutStop() removes.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withoutStop } from '../../web/src/base/without-stop.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** A message of an error, and a full stop behind it. The worker's own messageOf() removes the stop. */
const doubled = /\$\{(messageOf\(\w+\)|\(?\w+( as \w+)?\)?\.message)\}\.[ `']/g;
const files = globSync(['web/src/**/*.ts', 'packages/*/src/**/*.ts', 'web/demo/**/*.ts'], {
  cwd: root,
  exclude: ['packages/worker/**', '**/node_modules/**', '**/wasm/**'],
});

test('no message takes in another one with its full stop', () => {
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    [...readFileSync(root + file, 'utf8').matchAll(doubled)].map(([text]) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['It broke.', 'It broke'],
  ['It broke', 'It broke'],
  ['It waits...', 'It waits...'],
])('%s becomes %s', (given, wanted) => expect(withoutStop(given)).toBe(wanted));
