// Pages that import an entry of the package, built by a real Vite from the packed package: what a site has to hold for them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPackage } from './install.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const app = mkdtempSync(join(tmpdir(), 'ambry-purposes-'));
beforeAll(() => {
  installPackage(app);
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(app, { recursive: true }));

interface Purpose {
  readonly entry: string;
  /** What the page imports. */
  readonly imports: string;
  readonly wasm: RegExp;
  /** The worker and the module of the first call, in a browser with relaxed SIMD. */
  readonly first?: readonly [worker: string, module: string];
}

/** Matches no file. */
const none = /^$/;

const purposes: readonly Purpose[] = [
  {
    entry: 'ambry',
    imports: 'open',
    wasm: /^ambry-/,
    first: ['encoder-small', 'encoder-small-relaxed'],
  },
  {
    entry: 'ambry/encoder',
    imports: 'open, openIndex',
    wasm: /^ambry-(encoder|encoder-small|static|static-small)-/,
    first: ['encoder-small', 'encoder-small-relaxed'],
  },
  {
    entry: 'ambry/static-encoder',
    imports: 'open',
    wasm: /^ambry-(static|static-small)-/,
    first: ['static', 'static-small-baseline'],
  },
  {
    entry: 'ambry/vectors',
    imports: 'createVectorIndex',
    wasm: /^ambry-vectors-/,
    first: ['vectors', 'vectors-baseline'],
  },
  {
    entry: 'ambry/words',
    imports: 'open',
    wasm: /^ambry-words-/,
    first: ['words', 'words-baseline'],
  },
  {
    entry: 'ambry/image-classifier',
    imports: 'open',
    wasm: /^ambry-image-classifier-/,
    first: ['image-classifier', 'image-classifier-relaxed'],
  },
  {
    entry: 'ambry/text-classifier',
    imports: 'open',
    wasm: /^ambry-(text-classifier|encoder|encoder-small|inspect)-/,
    first: ['text-classifier', 'text-classifier-baseline'],
  },
  {
    entry: 'ambry/generator',
    imports: 'open',
    wasm: /^ambry-generator-/,
    first: ['generator', 'generator-relaxed'],
  },
  {
    entry: 'ambry/tokenizer',
    imports: 'openTokenizer',
    wasm: /^ambry-(tokenizer|convert|onnx)-/,
    first: ['tokenizer', 'tokenizer-baseline'],
  },
  {
    entry: 'ambry/files',
    imports: 'inspect',
    wasm: /^ambry-(inspect|convert|onnx|tokenizer)-/,
    first: ['inspect', 'inspect-baseline'],
  },
  { entry: 'ambry/in-thread', imports: 'open', wasm: /^ambry-/ },
  { entry: 'ambry/passages', imports: 'readDocument', wasm: none },
  { entry: 'ambry/tables', imports: 'formatLabels', wasm: none },
  { entry: 'ambry/terms', imports: 'passageTerms, stemmerOf', wasm: none },
];

/** Bytes that a site holds at most. */
const limits: Readonly<Record<string, number>> = {
  'ambry/encoder': 2_750_000,
  'ambry/static-encoder': 800_000,
};

/** The rows of the table in docs/sizes.md: MB and files that a build has, and KB of the first call. */
const rows = new Map(
  [
    ...readFileSync(join(root, 'docs/sizes.md'), 'utf8').matchAll(
      /^ *\| `(ambry[a-z/-]*)` \| (\d+\.\d+) \| (\d+) \| (\d+) \|$/gm,
    ),
  ].map(([, entry, ...numbers]) => [entry, numbers.map(Number)]),
);

function build({ entry, imports }: Pick<Purpose, 'entry' | 'imports'>): string {
  const folder = mkdtempSync(join(app, 'page-'));
  const page = '<!doctype html><script type="module" src="./main.js"></script>';
  writeFileSync(join(folder, 'index.html'), page);
  const main = `import { ${imports} } from '${entry}';\nconsole.log([${imports}]);`;
  writeFileSync(join(folder, 'main.js'), main);
  const vite = join(root, 'node_modules/.bin/vite');
  execFileSync(vite, ['build', '--logLevel', 'warn'], { cwd: folder, encoding: 'utf8' });
  return join(folder, 'dist');
}

describe.each(purposes)('a page of $entry', (purpose) => {
  const { entry, wasm, first } = purpose;
  let assets = '';
  let names: readonly string[] = [];
  let site: readonly string[] = [];
  beforeAll(() => {
    const folder = build(purpose);
    assets = join(folder, 'assets');
    names = readdirSync(assets);
    site = [join(folder, 'index.html'), ...names.map((name) => join(assets, name))];
  });
  const bytes = () => site.reduce((sum, path) => sum + statSync(path).size, 0);

  test('ships its WebAssembly and no other', () => {
    const shipped = names.filter((name) => name.endsWith('.wasm'));
    expect(shipped.length > 0).toBe(wasm !== none);
    expect(shipped.filter((name) => !wasm.test(name))).toEqual([]);
  });

  test.skipIf(limits[entry] === undefined)('has no more bytes than it may', () => {
    const most = limits[entry] as number;
    const found = `vite build writes ${bytes()} bytes in ${site.length} files`;
    const advice = 'See which files of dist/assets the page never asks for';
    expect(bytes(), `${found}, and ${most} are allowed. ${advice}.`).toBeLessThanOrEqual(most);
  });

  test('has the size that docs/sizes.md states', () => {
    const [worker, module] = first ?? [];
    const downloaded = [
      /^index-[\w-]{8}\.js$/,
      ...(first
        ? [
            RegExp(`^${worker}-worker-[\\w-]{8}\\.js$`),
            RegExp(`^ambry-${module}-[\\w-]{8}\\.wasm$`),
          ]
        : []),
    ].map((pattern) => names.find((name) => pattern.test(name)) ?? `no ${pattern}`);
    const sizes = downloaded.map(
      (name) => brotliCompressSync(readFileSync(join(assets, name))).length,
    );
    const kilobytes = Math.round(sizes.reduce((sum, size) => sum + size) / 1000);
    const megabytes = Number((bytes() / 1e6).toFixed(2));
    const found = `| \`${entry}\` | ${megabytes.toFixed(2)} | ${site.length} | ${kilobytes} |`;
    console.log(found);
    const [statedMegabytes = 0, files = 0, statedKilobytes = 0] = rows.get(entry) ?? [];
    const advice = `The row of docs/sizes.md is now: ${found}`;
    // The figures differ a little with the version of Vite.
    expect(Math.abs(statedMegabytes - megabytes), advice).toBeLessThan(0.025);
    expect(Math.abs(files - site.length), advice).toBeLessThan(4);
    expect(Math.abs(statedKilobytes - kilobytes), advice).toBeLessThan(4);
  });
});

test('a page of ambry/terms without stemmers ships none', () => {
  const folder = build({ entry: 'ambry/terms', imports: 'passageTerms, withoutAccents' });
  expect(readdirSync(join(folder, 'assets'))).toHaveLength(1);
});
