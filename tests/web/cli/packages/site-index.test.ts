// `ambry site-index` where the package `ambry-site-search` is installed and where it is not. The package's own tests try
// what it reads and writes.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeChunk } from '../../../../packages/site-search/src/shared/chunks.ts';
import { ambryCli, runProgram } from '../../support/cli/cli.ts';
import { folderForAllTests } from '../../support/for-all-tests.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const model = join(root, 'web/demo/public/models/english-static-336.weights');
const folder = folderForAllTests('ambry-site-index');
const at = (path: string) => join(folder, path);

mkdirSync(at('dist'));
writeFileSync(at('dist/index.html'), '<title>Cats</title><main>Cats purr.</main>');
writeFileSync(at('dist/copy.html'), '<title>Cats</title><main>Cats purr.</main>');
writeFileSync(at('dist/deep.html'), '<div>'.repeat(600));

describe('with the package', () => {
  const line = ['site-index', at('dist'), '--out', at('dist/search'), '--model', model];

  test('it makes an index, and says what it left out', async () => {
    const { code, out, err } = await ambryCli([...line, '--skip-bad']);
    expect(code, err).toBe(0);
    expect(out).toMatch(
      /search: 1 passage from 1 page, 1 page left out \(duplicates\), 1 page left out \(skipped\), \d+ files, \d\.\d+ MB\n$/,
    );
    expect(err).toMatch(/^warning {2}deep\.html is skipped\. LimitExceeded: /);
    const manifest = JSON.parse(readFileSync(at('dist/search/manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ format: 'ambry-site-search', site: '../', pages: 1 });
    expect(readFileSync(at('dist/search/ambry-search.js'), 'utf8')).toMatch(
      /^\/\*! ambry-site-search/,
    );
    const without = await ambryCli([...line, '--skip-bad', '--no-element']);
    expect(without.code, without.err).toBe(0);
    expect(existsSync(at('dist/search/ambry-search.js'))).toBe(false);
  });

  test('it reads what selectors name, and takes the model from elsewhere', async () => {
    mkdirSync(at('theme'), { recursive: true });
    const html =
      '<title>Cats | Pets</title><div class="doc"><p>Cats purr.</p><b class="edit">Edit</b></div>Other';
    writeFileSync(at('theme/cats.html'), html);
    const args = ['site-index', at('theme'), '--out', at('theme/search'), '--model', model];
    args.push(
      '--content',
      '.doc',
      '--ignore',
      '.edit',
      '--title-suffix',
      ' | Pets',
      '--no-element',
    );
    const { code, err } = await ambryCli([...args, '--model-url', '/models/small.weights']);
    expect(code, err).toBe(0);
    const manifest = JSON.parse(readFileSync(at('theme/search/manifest.json'), 'utf8'));
    expect(manifest.model.url).toBe('/models/small.weights');
    const { name } = manifest.sets.texts;
    const pack = new Uint8Array(readFileSync(at(`theme/search/texts/${name}/0.bin`)));
    // A checksum is at the end. So few pages have no dictionary.
    const text = inflateRawSync(decodeChunk(name, 0, pack, 'texts').subarray(0, -4));
    expect(JSON.parse(text.toString())).toMatchObject({
      title: 'Cats',
      sections: [{ text: 'Cats purr.' }],
    });
  });

  test('it makes an index for words alone, without a model', async () => {
    mkdirSync(at('words'), { recursive: true });
    writeFileSync(at('words/index.html'), '<title>Cats</title><main>Cats purr.</main>');
    const { code, json, err } = await ambryCli([
      'site-index',
      at('words'),
      '--meaning',
      'none',
      '--json',
    ]);
    expect(code, err).toBe(0);
    expect(json()).toMatchObject([{ pages: 1 }]);
    expect(existsSync(at('words/search/vectors'))).toBe(false);
  });

  test('it writes to the folder search, and warns of a page of that name', async () => {
    mkdirSync(at('plain'), { recursive: true });
    writeFileSync(at('plain/search.html'), '<title>Search</title><main>How to search.</main>');
    const { code, err } = await ambryCli(['site-index', at('plain'), '--model', model]);
    expect(code, err).toBe(0);
    expect(err).toContain('The page search.html and the folder of the index have one address');
    expect(existsSync(at('plain/search/manifest.json'))).toBe(true);
  });

  test('it stops at a page that cannot be read', async () => {
    const { code, err } = await ambryCli(line);
    expect(code).toBe(1);
    expect(err).toContain('LimitExceeded deep.html');
  });

  test.each([
    ['--dim', [...line, '--dim', '9999']],
    ['--meaning', [...line, '--meaning', 'both']],
    ['--bits', [...line, '--bits', '5']],
    ['--query-bytes', [...line, '--query-bytes', '0']],
    ['--max-files', [...line, '--max-files', '0']],
    ['--cache', [...line, '--cache', at('dist/cache')]],
    ['--content', [...line, '--content', 'main > p']],
    ['--model-url', [...line, '--model-url', 'https://']],
    ['--out', ['site-index', at('dist'), '--out', folder, '--model', model]],
    ['--model', [...line.slice(0, 4), '--model', at('nothing.weights')]],
  ])('a wrong %s is refused by its name', async (option, args) => {
    const { code, json } = await ambryCli([...args, '--json']);
    expect(code).toBe(2);
    expect(json()).toMatchObject([{ error: { path: option, message: expect.any(String) } }]);
  });

  test('a folder that is not there is refused', async () => {
    const { code, err } = await ambryCli([
      'site-index',
      at('none'),
      '--out',
      at('x'),
      '--model',
      model,
    ]);
    expect(code).toBe(2);
    expect(err).toContain('cannot be read');
  });
});

test('without the package, an error says how to install it', async () => {
  // A copy far from the node_modules of the repository.
  cpSync(join(root, 'dist'), at('alone/dist'), { recursive: true });
  cpSync(join(root, 'package.json'), at('alone/package.json'));
  const main = at('alone/dist/cli/main.js');
  const { code, err } = await runProgram([main, 'site-index', at('dist'), '--out', at('x')]);
  expect(code).toBe(2);
  expect(err).toMatch(
    /needs the package ambry-site-search. Install it: npm install ambry-site-search\n$/,
  );
  const help = await runProgram([main, 'help', 'site-index']);
  expect(help.code).toBe(0);
  expect(help.out).toContain('npm install ambry-site-search');
});
