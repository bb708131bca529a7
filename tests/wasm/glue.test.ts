// Glue that is written once for several modules.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { moduleWithGlue, splitGlue } from '../../wasm/glue.mjs';

/** What Emscripten writes, in small: the imports by their names in the module. */
const glueWith = (imports: string) =>
  `export default async function (Module) { var first = () => 1, second = () => 2; var wasmImports={${imports}};return wasmImports }`;

async function imported(imports: string): Promise<unknown> {
  const { glue, names } = splitGlue(glueWith(imports));
  const url = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
  const own = moduleWithGlue('glue-1', names).replace('./glue-1.mjs', url(glue));
  const { default: create } = (await import(url(own))) as {
    readonly default: (options: object) => Promise<Record<string, () => number>>;
  };
  const found = Object.entries(await create({ other: true }));
  return Object.fromEntries(found.map(([name, call]) => [name, call()]));
}

test('modules that differ in short names have one glue, and each gets its own names', async () => {
  expect(splitGlue(glueWith('a:first,b:second')).glue).toBe(
    splitGlue(glueWith('b:first,a:second')).glue,
  );
  expect(await imported('a:first,b:second')).toEqual({ a: 1, b: 2 });
  expect(await imported('b:first,a:second')).toEqual({ a: 2, b: 1 });
});

test('glue without short names stays as it is', () => {
  const glue = glueWith('first,_second:second');
  expect(splitGlue(glue)).toEqual({ glue, names: [] });
  expect(moduleWithGlue('glue-7', [])).toBe("export { default } from './glue-7.mjs';\n");
});

test('glue of another kind is refused', () => {
  expect(() => splitGlue('var wasmImports=make();')).toThrow(/one table wasmImports/);
});

test('no two files of glue differ in names alone', () => {
  const folder = new URL('../../web/src/wasm/', import.meta.url);
  const files = readdirSync(folder).filter((name) => /^glue-\d+\.mjs$/.test(name));
  expect(files.length).toBeGreaterThan(0);
  const glues = files.map((name) => splitGlue(readFileSync(new URL(name, folder), 'utf8')).glue);
  expect(new Set(glues).size).toBe(files.length);
});
