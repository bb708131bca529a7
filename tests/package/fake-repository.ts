// A repository with packages that have faults, for the checks before publishing.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type Files = Readonly<Record<string, string>>;
export interface FakePackage {
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Undefined takes the usual file away. */
  readonly files?: Readonly<Record<string, string | undefined>>;
}

const version = '1.2.3';

/** A sound package; `given` changes it. */
function filesOf(name: string, { manifest = {}, files = {} }: FakePackage): Files {
  const sound = {
    name,
    version,
    description: 'A package that is not there',
    license: 'MIT',
    keywords: ['one', 'two', 'three'],
    type: 'module',
    engines: { node: '>=20' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
    ...(name !== 'ambry' && { peerDependencies: { ambry: `^${version}` } }),
  };
  const all = {
    'package.json': JSON.stringify({ ...sound, ...manifest }),
    'README.md': `# ${name}\n\nSee [the guide](${name === 'ambry' ? '' : '../../'}docs/guide.md#start).\n`,
    LICENSE: 'MIT License\n',
    'dist/index.js': 'export const one = 1;\n',
    'dist/index.d.ts': 'export declare const one: number;\n',
    ...files,
  };
  const kept = Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(kept);
}

/** Writes a repository into a new folder. `ambry` is sound, and packages are `ambry-` and their name. */
export function fakeRepository(
  packages: Readonly<Record<string, FakePackage>>,
  addresses: object,
): { readonly root: string; readonly remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'ambry-fake-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('docs/guide.md', '# Guide\n');
  write('docs/picture.png', 'picture');
  write('packages/publish.json', JSON.stringify(addresses));
  for (const [path, text] of Object.entries(filesOf('ambry', {}))) {
    write(path, text);
  }
  for (const [name, given] of Object.entries(packages)) {
    for (const [path, text] of Object.entries(filesOf(`ambry-${name}`, given))) {
      write(`packages/${name}/${path}`, text);
    }
  }
  return { root, remove: () => rmSync(root, { recursive: true }) };
}
