// Every code block of the documentation: programs are checked for their types and run in Node or, by e2e/docs/code-blocks.spec.ts,
// in a page. Commands are run by tests/web/cli/examples-long.test.ts. What runs nowhere says why.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as ambry from 'ambry';
import * as passages from 'ambry/passages';
import * as tables from 'ambry/tables';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCommandPage } from '../web/cli/command-pages.ts';
import { allBlocks, blocksOf, type CodeBlock, docExamples, root } from './support/code-blocks.ts';
import { fileOf, isProgram, programOf, readerFileInNode, runsInPage } from './support/programs.ts';
import { makeReader, type Reader } from './support/reader.ts';

const blocks = allBlocks();
const programs = blocks.filter(isProgram);
const inNode = programs.filter((block) => !runsInPage(block));
const names = new Map(
  Object.entries({ ambry, 'ambry/passages': passages, 'ambry/tables': tables }).map(
    ([entry, exported]) => [entry, Object.keys(exported)],
  ),
);
const titleOf = ({ page, line }: CodeBlock) => `${page}:${line}`;

let reader: Reader;
const errors = new Map<string, string | null>();
let typeErrors = '';

beforeAll(async () => {
  reader = await makeReader();
  const folder = join(reader.folder, 'programs');
  mkdirSync(folder);
  writeFileSync(join(folder, 'reader-file.ts'), readerFileInNode);
  for (const block of programs) {
    writeFileSync(join(folder, fileOf(block)), programOf(block, names));
  }
  typeErrors = checkTypes(folder);
  for (const page of new Set(inNode.map((block) => block.page))) {
    await runPage(page, folder);
  }
}, 300_000);
afterAll(() => reader?.close());

function checkTypes(folder: string): string {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'esnext',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    lib: ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const tsc = join(root, 'node_modules/.bin/tsc');
  return spawnSync(tsc, ['-p', config, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' })
    .stdout;
}

/** One process runs the programs of a page in their order. */
async function runPage(page: string, folder: string): Promise<void> {
  const own = inNode.filter((block) => block.page === page);
  const paths = own.map((block) => join(folder, fileOf(block)));
  const runner = join(import.meta.dirname, 'support/run-programs.mjs');
  const { stdio } = spawn(process.execPath, [runner, ...paths], {
    cwd: reader.folder,
    env: reader.environment,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [err, out] = await Promise.all([text(stdio[2] as Readable), text(stdio[3] as Readable)]);
  for (const line of out.split('\n').filter(Boolean)) {
    const { path, error } = JSON.parse(line) as { path: string; error: string | null };
    errors.set(path, error);
  }
  const died = paths.find((path) => !errors.has(path));
  if (died !== undefined) {
    errors.set(died, `The process ended: ${err}`);
  }
}

describe('types', () => {
  test.each(programs.map((block) => [titleOf(block), block] as const))('%s', (_, block) => {
    const own = typeErrors.split('\n').filter((line) => line.startsWith(fileOf(block)));
    expect(own).toEqual([]);
  });

  test('have no other faults', () => {
    const files = programs.map(fileOf);
    const others = typeErrors.split('\n').filter((line) => line.includes('error TS'));
    expect(others.filter((line) => !files.some((file) => line.startsWith(file)))).toEqual([]);
  });
});

describe('in Node', () => {
  test.each(inNode.map((block) => [titleOf(block), block] as const))('%s', (_, block) => {
    expect(errors.get(join(reader.folder, 'programs', fileOf(block)))).toBe(null);
  });
});

describe('other blocks', () => {
  const others = blocks.filter((block) => !isProgram(block) && block.language !== 'text');
  test.each(others.map((block) => [titleOf(block), block] as const))('%s', (_, block) => {
    const { language, code, mark, page } = block;
    if (mark?.kind === 'run by') {
      expect(existsSync(join(root, mark.text)), mark.text).toBe(true);
      const named = page.startsWith('packages/') ? 'README.md' : page;
      expect(readFileSync(join(root, mark.text), 'utf8')).toContain(named);
    } else if (mark === undefined && language === 'json') {
      JSON.parse(code);
    } else if (mark === undefined) {
      expect(language).toBe('sh');
      expect(isCommandPage(page) && code.includes('npx ambry '), 'is run by nothing').toBe(true);
    }
  });

  const unrun = blocks.filter(({ mark }) => mark?.kind === 'not run');
  test.each(
    unrun.map((block) => [titleOf(block), block.mark?.text ?? ''] as const),
  )('%s is not run: %s', (_, reason) => expect(reason).toMatch(/\w+ \w+/));
});

describe('the reader of blocks', () => {
  test('finds fences with their languages, lines and marks', () => {
    const page =
      'a\n\n```js\nb\n```\n\n<!-- not run: needs a camera -->\n```sh\nc\n```\n1. x\n   ```\n   d\n   ```\n';
    expect(blocksOf('p.md', page)).toEqual([
      { page: 'p.md', line: 3, language: 'js', code: 'b\n' },
      {
        page: 'p.md',
        line: 8,
        language: 'sh',
        code: 'c\n',
        mark: { kind: 'not run', text: 'needs a camera' },
      },
      { page: 'p.md', line: 12, language: 'text', code: 'd\n' },
    ]);
  });

  test('finds the examples of docstrings', () => {
    const source =
      '/**\n * Opens.\n *\n * @example\n * a();\n *\n * @example\n * b();\n *   c();\n */\n';
    expect(docExamples('p.ts', source).map(({ code }) => code)).toEqual([
      'a();\n\n',
      'b();\n  c();\n',
    ]);
  });

  test('finds many blocks of each kind', () => {
    const count = (language: string) =>
      blocks.filter((block) => block.language === language).length;
    expect(count('js')).toBeGreaterThan(15);
    expect(count('ts')).toBeGreaterThan(50);
    expect(count('sh')).toBeGreaterThan(10);
    expect(programs.filter(runsInPage).length).toBeGreaterThan(10);
  });
});
