// The types of each entry have the names that its modules export when they run, in Node and elsewhere, and no others.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const app = mkdtempSync(join(tmpdir(), 'ambry-entries-'));
afterAll(() => rmSync(app, { recursive: true }));

type Conditions = Readonly<Record<string, string>>;
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | Conditions>>;
};

/** The modules with types: the entry, the condition and the file. */
const modules = Object.entries(exports).flatMap(([entry, conditions]) =>
  typeof conditions === 'string'
    ? []
    : ['node', 'default'].flatMap((condition) => {
        const file = conditions[condition];
        return file === undefined ? [] : [{ entry: `ambry${entry.slice(1)}`, condition, file }];
      }),
);

/** The names that each module exports. Scripts of workers listen to messages as soon as they are imported. */
function namesAtRunTime(): readonly (readonly string[])[] {
  const urls = modules.map(({ file }) => pathToFileURL(join(root, file)).href);
  const script = [
    'Object.assign(globalThis, { postMessage() {}, addEventListener() {} });',
    `const urls = ${JSON.stringify(urls)};`,
    'const found = [];',
    'for (const url of urls) found.push(Object.keys(await import(url)));',
    'console.log(JSON.stringify(found));',
    'process.exit();',
  ].join('\n');
  const args = ['--input-type=module', '-e', script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[][];
}

/** The entries in the table of docs/sizes.md, and the names that it says they have. */
const documented = new Map(
  [
    ...readFileSync(join(root, 'docs/sizes.md'), 'utf8').matchAll(
      /^\| [^|]+ \| `(ambry[a-z/*-]*)` \| (\D[^|]*) \|$/gm,
    ),
  ].map(([, entry = '', has = '']) => [entry, has]),
);

/** Names that the text around the table tells of. */
const everywhere = ['AmbryError', 'cosine', 'dot'];

test('one table of the documentation has every entry, with its names', () => {
  const entries = Object.keys(exports).filter((name) => name !== './package.json');
  const names = entries.map((name) => `ambry${name.slice(1)}`);
  expect([...documented.keys()].toSorted()).toEqual(names.toSorted());
  const found = namesAtRunTime();
  for (const [i, { entry }] of modules.entries()) {
    const has = documented.get(entry) ?? '';
    const told = [...has.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    const own = found[i]?.filter((name) => !everywhere.includes(name)) ?? [];
    if (told.length === 0 || / and more$/.test(has)) {
      expect(own, entry).toEqual(expect.arrayContaining(told.filter((name) => name !== 'ambry')));
    } else if (entry !== 'ambry/in-thread' && entry !== 'ambry/worker') {
      expect(own.toSorted(), entry).toEqual(told.toSorted());
    }
  }
  const withoutError = modules.filter((_, i) => !found[i]?.includes('AmbryError'));
  const without = [...new Set(withoutError.map(({ entry }) => entry))];
  expect(without).toEqual([
    'ambry/passages',
    'ambry/passages/in-thread',
    'ambry/tables',
    'ambry/worker',
  ]);
  const comparing = modules.filter((_, i) => found[i]?.includes('cosine'));
  expect(new Set(comparing.map(({ entry }) => entry))).toEqual(
    new Set([...[...documented.keys()].slice(0, 5), 'ambry/in-thread']),
  );
});

test('the types of each entry have the names of its modules', () => {
  const found = namesAtRunTime();
  expect(modules.length).toBeGreaterThan(20);
  expect(found.flat().length).toBeGreaterThan(100);
  const files = modules.map(({ entry, condition }, i) => {
    const name = `${entry.replaceAll('/', '-')}-${condition}.ts`;
    const names = found[i]?.map((each) => `  ${each}: true,\n`).join('');
    const code = `import * as entry from '${entry}';

// A name that is missing here has a type and is exported by no module. One that is too much has no type.
export const names: Record<keyof typeof entry, true> = {
${names}};
`;
    writeFileSync(join(app, name), code);
    return name;
  });
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  mkdirSync(join(app, 'node_modules'));
  symlinkSync(root, join(app, 'node_modules/ambry'));
  const settings = ['--lib', 'es2022,dom', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const args = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', ...settings];
  const run = () =>
    execFileSync(join(root, 'node_modules/.bin/tsc'), [...args, ...files], {
      cwd: app,
      encoding: 'utf8',
    });
  const errors = (() => {
    try {
      return run();
    } catch (error) {
      return (error as { readonly stdout: string }).stdout;
    }
  })();
  expect(errors).toBe('');
});
