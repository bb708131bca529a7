// The package as its users get it: packed, unpacked elsewhere, and bundled by a real Vite.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readModules } from '../../wasm/module-files.mjs';
import { installPackage } from './install.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const app = mkdtempSync(join(tmpdir(), 'ambry-app-'));
const installed = join(app, 'node_modules/ambry');
const bin = (name: string) => join(root, 'node_modules/.bin', name);
let packed: readonly string[] = [];

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin: Readonly<Record<string, string>>;
}
/** The entries for one kind of models or one job, `ambry/encoder`. */
const purposes = [
  'encoder',
  'static-encoder',
  'words',
  'image-classifier',
  'text-classifier',
  'generator',
  'files',
];
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

beforeAll(() => {
  packed = installPackage(app);
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(app, { recursive: true }));

const built = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.m?js$/.test(name));

/** What a module imports at once. */
const importsOf = (code: string): string[] =>
  [...code.matchAll(/(?:^|;)(?:import|export)\b(?:[^'"();=]*?\bfrom)?\s*['"]([^'"]+)['"]/gm)].map(
    ([, target = '']) => target,
  );

describe('the tarball', () => {
  test('has every file that the manifest names', () => {
    const named = [...Object.values(manifest.exports), ...Object.values(manifest.bin)];
    for (const entry of named.flatMap((value) =>
      typeof value === 'string' ? value : Object.values(value),
    )) {
      const [start = '', end] = entry.replace('./', '').split('*');
      const isNamed = (path: string) =>
        end === undefined ? path === start : path.startsWith(start) && path.endsWith(end);
      expect(packed.some(isNamed), entry).toBe(true);
    }
  });

  test('has the licenses of the libraries that are part of its files', () => {
    const withLicense = (file: string, ...names: string[]) => {
      const code = readFileSync(join(installed, 'dist', file), 'utf8');
      for (const name of names) {
        expect(code, file).toMatch(new RegExp(`/\\*! ${name}\\n[^*]*(Copyright|License)`));
      }
    };
    const ofText = ['entities', 'fflate', 'marked'];
    withLicense('passages/text-readers.js', ...ofText);
    withLicense('libraries/franc.js', 'franc', 'trigram-utils');
    withLicense('libraries/fr.js', '@orama/stemmers');
  });

  test('has the files to run and their types, and nothing else', () => {
    const own = /^(dist\/.*\.(js|wasm|d\.ts)$|package\.json$|README|LICENSE)/;
    expect(packed.filter((path) => !own.test(path))).toEqual([]);
  });

  test('names addresses in quotes, as bundlers look for them, and no source maps', () => {
    for (const name of built(join(installed, 'dist'))) {
      const code = readFileSync(join(installed, 'dist', name), 'utf8');
      expect(code, name).not.toMatch(
        /\b(new URL\(|import\(|join\(here, ?)`[^`$]*`|sourceMappingURL/,
      );
    }
  });

  test('does not make code from strings', () => {
    // PDF.js can, and is told not to (web/src/passages/pdf/pdf-lines.ts): it is in the package ambry-pdf.
    for (const name of built(join(installed, 'dist'))) {
      const code = readFileSync(join(installed, 'dist', name), 'utf8');
      expect(code, name).not.toMatch(/\bnew Function\b|\beval\(/);
    }
  });

  test('pages do not import from Node', () => {
    const seen = new Set<string>();
    const visit = (path: string) => {
      if (seen.has(path)) {
        return;
      }
      seen.add(path);
      const code = readFileSync(path, 'utf8');
      const later = [...code.matchAll(/\bimport\(\s*['"]([^'"$]+)['"]/g)].map(([, to = '']) => to);
      const workers = [...code.matchAll(/new URL\(['"](\.[^'"]+\.js)['"]/g)].map(
        ([, to = '']) => to,
      );
      for (const target of [...importsOf(code), ...later, ...workers]) {
        // The libraries are part of the files.
        expect(target, path).toMatch(/^\./);
        visit(join(path, '..', target));
      }
    };
    const pages = [
      ...['index.js', 'in-thread.js', 'passages/passages.js', 'passages/in-thread.js'],
      ...purposes.map((name) => `${name}.js`),
    ];
    for (const entry of [...pages, 'tables.js', 'terms.js', 'workers/worker.js']) {
      visit(join(installed, 'dist', entry));
    }
    expect(seen.size).toBeGreaterThan(20);
  });

  test('embeds with four files of JavaScript, without deeper imports', () => {
    const dist = (name: string) => join(installed, 'dist', name);
    const files = [dist('index.js'), dist('workers/encoder-small-worker.js')];
    const [page = [], worker] = files.map((path) => importsOf(readFileSync(path, 'utf8')));
    expect(page.sort()).toEqual(['./errors.js', './runtime/client.js']);
    expect(worker).toEqual([]);
    files.push(...page.map(dist));
    expect(importsOf(readFileSync(dist('runtime/client.js'), 'utf8'))).toEqual(['../errors.js']);
    const sizes = files.map((path) => brotliCompressSync(readFileSync(path)).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(36_000);
  });

  test('has the same exports for pages and for Node, and one error class', () => {
    const script = [
      "import * as page from './node_modules/ambry/dist/index.js';",
      "import * as node from 'ambry';",
      "import { readDocument } from 'ambry/passages';",
      'const error = await readDocument("a.zip", new Uint8Array(9)).catch((error) => error);',
      'const classes = [page, node].map(({ AmbryError }) => error instanceof AmbryError);',
      'const purposes = [];',
      `for (const name of ${JSON.stringify(purposes)}) {`,
      '  const [own, other] = await Promise.all([',
      "    import('./node_modules/ambry/dist/' + name + '.js'), import('ambry/' + name)]);",
      '  purposes.push([name, Object.keys(own), Object.keys(other)]);',
      '}',
      'console.log(JSON.stringify([Object.keys(page), Object.keys(node), classes, purposes]));',
    ].join('\n');
    const args = ['--input-type=module', '-e', script];
    const out = execFileSync(process.execPath, args, { cwd: app, encoding: 'utf8' });
    const [page, node, classes, others] = JSON.parse(out) as [
      page: string[],
      node: string[],
      classes: boolean[],
      others: (readonly [name: string, page: string[], node: string[]])[],
    ];
    expect(page).toEqual(node);
    expect(classes).toEqual([true, true]);
    expect(others).toHaveLength(purposes.length);
    for (const [name, ofPage, ofNode] of others) {
      expect(ofPage.length, name).toBeGreaterThan(1);
      expect(ofPage, name).toEqual(ofNode);
    }
  });

  test('can be imported in Node by its name', () => {
    const script =
      "import { open } from 'ambry'; import 'ambry/passages'; import 'ambry/tables'; console.log(typeof open)";
    const args = ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script];
    expect(execFileSync(process.execPath, args, { cwd: app, encoding: 'utf8' }).trim()).toBe(
      'function',
    );
  });
});

describe('a script without a file', () => {
  const weights = JSON.stringify(join(root, 'web/demo/public/models/english-192x1.weights'));
  const script = [
    "import { open } from 'ambry';",
    "import { readDocument } from 'ambry/passages';",
    `const model = await open(${weights});`,
    "const { passages } = await readDocument('a.md', Buffer.from('# Hi'));",
    'console.log(model.kind, passages.length);',
    'await model.dispose();',
  ].join('\n');
  test.each([
    ['as an argument', ['-e', script], undefined],
    ['on standard input', [], script],
  ])('%s opens models and reads documents', (_, args, input) => {
    const all = ['--input-type=module', ...args];
    const out = execFileSync(process.execPath, all, { cwd: app, encoding: 'utf8', input });
    expect(out.trim()).toBe('encoder 1');
  });
});

describe('the types', () => {
  const check = (lines: readonly string[], ...options: string[]) => {
    writeFileSync(join(app, 'user.ts'), lines.join('\n'));
    const flags = ['--noEmit', '--strict', '--target', 'es2022', ...options];
    return execFileSync(bin('tsc'), [...flags, 'user.ts'], { cwd: app, encoding: 'utf8' });
  };
  test.each([
    ['a bundler', ['--lib', 'es2022,dom', '--module', 'esnext', '--moduleResolution', 'bundler']],
    [
      'Node, which knows no DOM',
      [
        '--lib',
        'es2022',
        '--types',
        'node',
        '--typeRoots',
        join(root, 'node_modules/@types'),
      ].concat(['--module', 'nodenext', '--moduleResolution', 'nodenext']),
    ],
  ])('are valid for %s, in all declaration files', (_, options) => {
    const program = [
      "import { AmbryError, convert, cosine, createIndex, type Encoder, type Model, open } from 'ambry';",
      "import { type Generator, open as openGenerator } from 'ambry/generator';",
      "import { openReranker } from 'ambry/encoder';",
      "import { inspect } from 'ambry/files';",
      "import { type FileTokenizer, openTokenizer } from 'ambry/tokenizer';",
      "export const tokenizer: FileTokenizer = await openTokenizer('x', { encoding: 'qwen' });",
      "export const written: Generator = await openGenerator('x', { threads: 2 });",
      "export const best = (await (await openReranker('x')).rank('q', ['d']))[0]?.score;",
      "export const { format } = await inspect('x');",
      '// @ts-expect-error the entry is for one kind',
      "await openGenerator('x', { kind: 'encoder' });",
      "import { readDocument } from 'ambry/passages';",
      "import { type FormatId, formatLabels } from 'ambry/tables';",
      "const model: Encoder = await open('x', { kind: 'encoder', weights: 'int8' });",
      "const any: Model = await open('x');",
      "if (any.kind === 'generator') any.generate('x');",
      '// @ts-expect-error not every model generates text',
      "any.generate('x');",
      "const row = await model.embed('x');",
      'export const sent: Float32Array = structuredClone(row, { transfer: [row.buffer] });',
      "export const rows: Float32Array[] = await model.embed(['x', 'y']);",
      "export const block: Float32Array = await model.embed(['x'], { as: 'matrix' });",
      "export const tokens: Float32Array[] = await model.embed(['x'], { pooling: 'none' });",
      'export const alike: number = cosine(row, [1, 2]);',
      "const { passages } = await readDocument('a.md', new Uint8Array(), { most: 64 });",
      'export const index = await createIndex(model, passages);',
      "export const blob: Blob = await convert('x', { dtype: 'int8' });",
      "export const nothing: null = await convert('x', { output: 'y' });",
      'export const labels: Readonly<Record<FormatId, string>> = formatLabels;',
      '// @ts-expect-error there is no such option',
      "await model.embed('x', { poolin: 'cls' });",
      "export const error = new AmbryError('Http', 'no');",
    ];
    expect(check(program, ...options)).toBe('');
  });
});

describe('a page of three lines, built by Vite', () => {
  const site = join(app, 'dist');
  beforeAll(() => {
    const page = '<!doctype html><script type="module" src="/main.js"></script>';
    writeFileSync(join(app, 'index.html'), page);
    const main = [
      "import { open } from 'ambry';",
      "const model = await open('/model.weights');",
      "console.log(await model.embed('hello'));",
    ];
    writeFileSync(join(app, 'main.js'), main.join('\n'));
    execFileSync(bin('vite'), ['build', '--logLevel', 'warn'], { cwd: app, encoding: 'utf8' });
  }, 60_000);

  test('ships each worker with its module in every flavour under hashed names', () => {
    const assets = readdirSync(join(site, 'assets'));
    const modules = new Map(readModules().map(({ name, flavours }) => [name, flavours]));
    const one = (pattern: RegExp): string => {
      const found = assets.filter((name) => pattern.test(name));
      expect(found).toHaveLength(1);
      return found[0] ?? 'none';
    };
    const read = (name: string) => readFileSync(join(site, 'assets', name), 'utf8');
    const workers: readonly (readonly [worker: string, module: string])[] = [
      ['worker', 'ambry-generator'],
      ['encoder-small-worker', 'ambry-encoder-small'],
      ['worker', 'ambry-encoder'],
      ['encoder-worker', 'ambry-encoder-small'],
      ['encoder-worker', 'ambry-encoder'],
      ['static-worker', 'ambry-static-small'],
      ['static-worker', 'ambry-static'],
      ['vectors-worker', 'ambry-vectors'],
      ['words-worker', 'ambry-words'],
      ['image-classifier-worker', 'ambry-image-classifier'],
      ['text-classifier-worker', 'ambry-text-classifier'],
      ['generator-worker', 'ambry-generator'],
      ['inspect-worker', 'ambry-inspect'],
      ['tokenizer-worker', 'ambry-tokenizer'],
      ['convert-worker', 'ambry-convert'],
    ];
    for (const [worker, module] of workers) {
      const script = one(new RegExp(`^${worker}-[\\w-]{8}\\.js$`));
      expect(read(one(/^index-[\w-]{8}\.js$/))).toContain(script);
      expect([...modules.keys()]).toContain(module);
      for (const flavour of modules.get(module) ?? []) {
        const wasm = one(new RegExp(`^${module}-${flavour}-[\\w-]{8}\\.wasm$`));
        expect(read(script)).toContain(wasm);
      }
    }
    // The one with everything is another package.
    const shipped = [...modules].flatMap(([name, flavours]) => (name === 'ambry' ? [] : flavours));
    expect(assets.filter((name) => name.endsWith('.wasm'))).toHaveLength(shipped.length);
  });

  test('needs no eval and no Node modules', () => {
    for (const name of built(site)) {
      const code = readFileSync(join(site, name), 'utf8');
      expect(code).not.toMatch(/\bnew Function\b|\beval\(|["']node:|__vite-browser-external/);
    }
  });
});
