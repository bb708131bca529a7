// JavaScript calls the core by few functions. What is alike is bound once (wasm/README.md).
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const most = 150;
const folder = new URL('../../wasm/bindings/', import.meta.url);
const bound = /\bemscripten::function\b|\.(?:class_)?function\(|\.property\(|\.constructor[<(]/g;

it(`binds at most ${most} functions for JavaScript`, () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.cpp'));
  const counts = files.map((name): [string, number] => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    return [name, text.match(bound)?.length ?? 0];
  });
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const largest = counts.sort(([, a], [, b]) => b - a).slice(0, 3);
  const where = largest.map(([name, count]) => `${name} has ${count}`).join(', ');
  expect(total).toBeGreaterThan(most / 2);
  expect(
    total,
    `wasm/bindings has ${total} functions (${where}): join calls that are alike`,
  ).toBeLessThanOrEqual(most);
});
