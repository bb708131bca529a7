// Makes the package's types: of each entry one file of declarations, and files that several of them share.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Where tsc writes a file of declarations for each file of web/src (tsconfig.build.json). */
const emitted = `${root}build/types/`;

/** `entries` are names of files in web/src, by the names that they have in dist/. */
export async function rollUpTypes(entries) {
  const isType = (name) => name.endsWith('.d.mts');
  for (const name of readdirSync(`${root}web/src/wasm`).filter(isType)) {
    cpSync(`${root}web/src/wasm/${name}`, `${emitted}wasm/${name}`);
  }
  const build = await rolldown({
    input: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, `${emitted}${file}.d.ts`]),
    ),
    external: /^node:/,
    plugins: [dts({ dtsInput: true, tsconfig: false })],
  });
  await build.write({
    dir: `${root}dist`,
    chunkFileNames: 'types/[name].d.ts',
    minifyInternalExports: false,
    // `await using` is newer than the libraries that most projects name, and programs in Node lack some names.
    banner: ({ fileName }) => {
      const names = posix.relative(posix.dirname(fileName), 'types/global.d.ts');
      return `/// <reference lib="esnext.disposable" />\n/// <reference path="${names}" />`;
    },
  });
  await build.close();
  cpSync(`${root}web/global-types.d.ts`, `${root}dist/types/global.d.ts`);
  rmSync(emitted, { recursive: true });
}
