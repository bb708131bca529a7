// The examples in the READMEs of packages compile as strict TypeScript, against the packages as they are published, and import
// nothing that the README does not install. Tests of the packages run them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { allBlocks, type CodeBlock, root } from './support/code-blocks.ts';

const blocks = allBlocks().filter(({ page }) => /^packages\/[\w-]+\/README\.md$/.test(page));
// Other marks are of parts of pages, and of what names a host.
const examples = blocks.filter(
  ({ language, mark }) => /^(js|ts|tsx)$/.test(language) && mark?.text.endsWith('/readme.test.ts'),
);
const titled = examples.map((block) => [`${block.page}:${block.line}`, block] as const);

const fileOf = ({ page, line, language }: CodeBlock) =>
  `${page.split('/')[1]}-${line}.${language === 'tsx' ? 'tsx' : 'mts'}`;

const folder = mkdtempSync(join(tmpdir(), 'ambry-readmes-'));
afterAll(() => rmSync(folder, { recursive: true }));
const faults = compile();

function compile(): readonly string[] {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const block of examples) {
    // What a README leaves to its reader does not make the others' names its own.
    writeFileSync(join(folder, fileOf(block)), `${block.code}\nexport {};\n`);
  }
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'esnext',
    module: 'nodenext',
    jsx: 'react-jsx',
    skipLibCheck: true,
    lib: ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
  };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ['*.mts', '*.tsx'] }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, ['-p', config, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}

test.each(titled)('%s compiles', (_, block) => {
  expect(faults.filter((line) => line.startsWith(fileOf(block)))).toEqual([]);
});

test('nothing else is wrong', () => {
  const files = examples.map(fileOf);
  expect(faults.filter((line) => !files.some((file) => line.startsWith(file)))).toEqual([]);
});

/** The packages in the commands of a page. */
function installed(page: string): readonly string[] {
  const commands = blocks.filter((block) => block.page === page && block.language === 'sh');
  return commands
    .flatMap(({ code }) => code.split('\n'))
    .filter((line) => line.startsWith('npm install '))
    .flatMap((line) => line.replace(/#.*/, '').split(' ').slice(2))
    .map((name) => name.replace(/(?<=.)@.*/, ''));
}

const withInstall = titled.filter(([, { page }]) => installed(page).length > 0);
test.each(withInstall)('%s imports what is installed', (_, { page, code }) => {
  const imported = [...code.matchAll(/^import .*?from '([^'.][^']*)'/gm)].map(([, name = '']) =>
    name.replace(/^((?:@[^/]+\/)?[^/]+).*/, '$1'),
  );
  const names = imported.filter((name) => !isBuiltin(name));
  expect(names.filter((name) => !installed(page).includes(name))).toEqual([]);
});
