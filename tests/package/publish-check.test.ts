// The check before publishing finds each fault. The packages here are made up; publish.test.ts checks those of the repository.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleAddresses, readAddresses } from '../../packages/build/publish/addresses.mjs';
import { checkPackages } from '../../packages/build/publish/check.mjs';
import { satisfies } from '../../packages/build/publish/ranges.mjs';
import { relativeLinks } from '../../packages/build/publish/readme-links.mjs';
import { type FakePackage, fakeRepository } from './fake-repository.ts';

/** Packages with one fault each, and what is said of it. */
const faulty: Readonly<Record<string, FakePackage & { readonly fault: RegExp }>> = {
  version: { manifest: { version: '1.2.4' }, fault: /has the version 1\.2\.4, and ambry 1\.2\.3/ },
  dependency: {
    manifest: { dependencies: { 'ambry-sound': '^1.2.3' } },
    fault: /depends on ambry-sound \^1\.2\.3, and must on exactly 1\.2\.3/,
  },
  peer: {
    manifest: { peerDependencies: { ambry: '>=1.0.0' } },
    fault: /has the peer ambry >=1\.0\.0, and the true range is \^1\.2\.3/,
  },
  // The build of ambry makes files of the package with this name.
  pdf: { fault: /has the peer ambry \^1\.2\.3, and the true range is 1\.2\.3/ },
  'not-installed': {
    manifest: { peerDependencies: { ambry: '^1.2.3', 'no-such': '^1.0.0' } },
    fault: /has the peer no-such \^1\.0\.0, which is not installed here/,
  },
  local: {
    manifest: { dependencies: { other: 'file:../other' } },
    fault: /dependencies has other from "file:\.\.\/other", which is no version/,
  },
  keywords: { manifest: { keywords: ['one'] }, fault: /less than three keywords/ },
  description: { manifest: { description: '' }, fault: /package\.json has no description/ },
  license: { manifest: { license: undefined }, fault: /package\.json has no license/ },
  'license-file': { files: { LICENSE: undefined }, fault: /there is no LICENSE/ },
  tests: {
    files: { 'dist/index.test.js': 'export {};\n' },
    fault: /dist\/index\.test\.js is for development/,
  },
  sources: {
    manifest: { files: ['dist', 'src'] },
    files: { 'src/index.ts': 'export const one = 1;\n' },
    fault: /src\/index\.ts is for development/,
  },
  map: {
    files: { 'dist/index.js': 'export const one = 1;\n//# sourceMappingURL=index.js.map\n' },
    fault: /dist\/index\.js names a source map/,
  },
  'missing-file': {
    files: { 'dist/index.js': "export { one } from './other.js';\n" },
    fault: /dist\/index\.js imports \.\/other\.js, which is not in the package/,
  },
  undeclared: {
    files: { 'dist/index.js': "export const one = await import('fflate');\n" },
    fault: /dist\/index\.js imports fflate, which is neither a dependency nor a peer/,
  },
  'no-readme': { files: { 'README.md': undefined }, fault: /there is no README\.md/ },
  link: {
    files: { 'README.md': '# ambry-link\n\n[gone](../../docs/gone.md)\n' },
    fault: /the link \.\.\/\.\.\/docs\/gone\.md leads to no file of the repository/,
  },
  title: { files: { 'README.md': '# Other\n' }, fault: /README\.md has no title "# ambry-title"/ },
  exports: {
    manifest: { exports: { '.': './dist/gone.js' } },
    fault: /publint: .*dist\/gone\.js/,
  },
  types: {
    files: { 'dist/index.d.ts': "export { default } from './gone.js';\n" },
    fault: /types: .*InternalResolutionError/,
  },
  corrected: { manifest: { bin: { corrected: '../index.js' } }, fault: /npm publish: .*bin/ },
};
const sound = {
  sound: {
    manifest: {
      scripts: { prepare: 'exit 1' },
      devDependencies: { vitest: '*' },
      dependencies: { 'ambry-base': '1.2.3' },
    },
    files: {
      'README.md':
        '# ambry-sound\n\n[![A picture](../../docs/picture.png)](../../docs/guide.md)\n\n`[code](no-link.md)`\n',
    },
  },
  base: {},
};
const repository = fakeRepository({ ...faulty, ...sound }, {});
let report: Awaited<ReturnType<typeof checkPackages>>;
let readme = '';
let manifest: Readonly<Record<string, unknown>> = {};

beforeAll(async () => {
  report = await checkPackages(repository.root, (staged) => {
    const folder = staged.find(({ name }) => name === 'ambry-sound')?.folder ?? '';
    readme = readFileSync(join(folder, 'README.md'), 'utf8');
    manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  });
}, 300_000);
afterAll(() => repository.remove());

const faultsOf = (name: string) => report.faults.filter((fault) => fault.startsWith(`${name}: `));

test.each(Object.entries(faulty))('%s is a fault', (name, { fault }) => {
  expect(faultsOf(`ambry-${name}`).join('\n')).toMatch(fault);
});

test('a sound package has none', () => {
  expect(['ambry', 'ambry-sound', 'ambry-base'].flatMap(faultsOf)).toEqual([]);
});

test('the path of the repository on the machine is a fault', async () => {
  const other = fakeRepository({}, {});
  try {
    writeFileSync(join(other.root, 'dist/index.js'), `export const one = '${other.root}';\n`);
    const { faults } = await checkPackages(other.root);
    expect(faults).toEqual([
      'ambry: dist/index.js contains the path of this repository on this machine',
    ]);
  } finally {
    other.remove();
  }
});

describe('a package that is published', () => {
  test('comes after those that it needs', () => {
    const { names } = report;
    expect(names[0]).toBe('ambry');
    expect(names.indexOf('ambry-base')).toBeLessThan(names.indexOf('ambry-sound'));
  });

  test('has the addresses, and nothing of the repository', () => {
    expect(manifest).toMatchObject({
      repository: {
        type: 'git',
        url: exampleAddresses.repository,
        directory: 'packages/sound',
      },
      homepage: exampleAddresses.homepage,
      bugs: { url: exampleAddresses.bugs },
    });
    expect(Object.keys(manifest)).not.toContain('scripts');
    expect(Object.keys(manifest)).not.toContain('devDependencies');
  });

  test('has links that work on the page of the registry', () => {
    expect(readme).toContain(
      '[![A picture](https://example.org/ambry/raw/docs/picture.png)](https://example.org/ambry/files/docs/guide.md)',
    );
    expect(relativeLinks(readme)).toEqual([]);
    expect(readme).toContain('`[code](no-link.md)`');
  });
});

test('addresses that are missing, wrong or unknown are named', () => {
  const { root, remove } = fakeRepository({}, { ...exampleAddresses, bugs: 'later', page: '' });
  expect(readAddresses(root).faults).toEqual([
    expect.stringContaining('fill in "bugs": where faults are reported'),
    'packages/publish.json: there is no "page"',
  ]);
  remove();
});

test.each([
  ['1.2.3', '1.2.3', true],
  ['1.2.4', '1.2.3', false],
  ['1.9.0', '^1.2.3', true],
  ['2.0.0', '^1.2.3', false],
  ['0.1.9', '^0.1.2', true],
  ['0.2.0', '^0.1.2', false],
  ['19.3.1', '^18.2.0 || ^19.0.0', true],
  ['20.0.0', '>=18.2.0', true],
])('%s and %s: %s', (version, range, expected) => {
  expect(satisfies(version, range)).toBe(expected);
});
