// What the package offers: the worker with every call, and WebAssembly for it. The README's line is all that a program adds;
// tests/ecosystem and e2e/package/worker-scripts.spec.ts run it in pages.
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const packed = new URL('../', import.meta.url);
const read = (name: string) => readFile(new URL(name, packed));
const unzipped = (text: string) => gunzipSync(Buffer.from(text, 'base64'));

test('the line of the README offers the copies', async () => {
  const readme = (await read('README.md')).toString();
  expect(readme).toContain("import 'ambry-whole';");
  await import(new URL('dist/index.js', packed).href);
  const load = Reflect.get(globalThis, Symbol.for('ambry-whole')) as () => Promise<{
    readonly script: string;
    readonly loadWasm: () => Promise<string>;
  }>;
  const { script, loadWasm } = await load();
  const code = unzipped(script).toString();
  // The script is one file: one that runs from a blob finds no others.
  expect(code).not.toMatch(/^import\b/m);
  expect(code).toContain('postMessage');
  expect(unzipped(await loadWasm())).toEqual(await read('wasm/ambry-baseline.wasm'));
});

test.each(['baseline', 'relaxed'])('the %s WebAssembly compiles', async (flavour) => {
  const wasm = await read(`wasm/ambry-${flavour}.wasm`);
  expect(WebAssembly.Module.imports(await WebAssembly.compile(wasm)).length).toBeGreaterThan(5);
});
