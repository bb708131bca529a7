// What the bundles of the package do to its code (bundle.mjs).
import { existsSync, readFileSync } from 'node:fs';
import { posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const source = fileURLToPath(new URL('../src/', import.meta.url));
export const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** A path from web/src, with forward slashes and without its ending. */
export const nameOf = (id) => relative(source, id).replaceAll('\\', '/').replace(/\.ts$/, '');

/** The name in dist/ of a file of web/src. What lies in entries/ or entries/built/ lies at the top there. */
export const distName = (name) => name.replace(/^entries\/(built\/)?/, '');

const marker = '~ambry/';

/** Bundlers look for addresses in quotes, and the writer of small code prefers backticks. */
export const quotedAddresses = {
  name: 'ambry-quoted-addresses',
  generateBundle: (_, bundle) => {
    for (const chunk of Object.values(bundle).filter(({ type }) => type === 'chunk')) {
      chunk.code = chunk.code.replace(
        /\b(new URL\(|import\(|join\(here, ?)`([^`$\\'\n]*)`/g,
        (_, before, address) => `${before}'${address}'`,
      );
    }
  },
};

/** Code moves to other files, and what it calls by a path from its own must be found from there: the path becomes a
 *  mark with the place from the top, and the mark a path from the new file. `others` are files of their own, or pairs of one
 *  and the file that is taken in its place. */
export function moved(others) {
  const targets = new Map(others.map((other) => (Array.isArray(other) ? other : [other, other])));
  const placeOf = (importer, path) => posix.join(posix.dirname(nameOf(importer)), path);
  const mark = (importer, path) => marker + distName(placeOf(importer, path));
  return {
    name: 'ambry-moved',
    resolveId: (path, importer) => {
      const target = importer && targets.get(placeOf(importer, path).replace(/\.[jt]s$/, ''));
      return target ? { id: `${marker}${distName(target)}.js`, external: true } : null;
    },
    transform: (code, id) =>
      sameLines(
        code
          .replace(
            /\bnew URL\((['"])([^'":]+)\1, ?import\.meta\.url\)/g,
            (_, quote, url) => `new URL(${quote}${mark(id, url)}${quote}, import.meta.url)`,
          )
          .replace(
            /\bjoin\(here, (['"])([^'":]+)\1\)/g,
            (_, quote, path) => `join(here, ${quote}${mark(id, path)}${quote})`,
          ),
      ),
    renderChunk: (code, { fileName }) =>
      sameLines(
        code.replace(/(['"])~ambry\/(.*?)(\/?)\1/g, (_, quote, path, end) => {
          const url = posix.relative(posix.dirname(fileName), path);
          return `${quote}${url.startsWith('.') ? '' : './'}${url}${end}${quote}`;
        }),
      ),
  };
}

/** No source maps are made. */
const sameLines = (code) => ({ code, map: null });

/** The languages of franc that the package asks for. Its data know 187, which are most of its size. */
export const ownLanguages = {
  name: 'ambry-own-languages',
  transform: async (_, id) => {
    if (!id.endsWith('/franc/data.js')) {
      return null;
    }
    const list = readFileSync(`${source}search/words/languages.ts`, 'utf8');
    const wanted = new Set([...list.matchAll(/detected: '(\w+)'/g)].map(([, name]) => name));
    const { data } = await import(id);
    const kept = Object.entries(data).map(([script, languages]) => [
      script,
      Object.fromEntries(Object.entries(languages).filter(([name]) => wanted.has(name))),
    ]);
    return { code: `export const data = ${JSON.stringify(Object.fromEntries(kept))};`, map: null };
  },
};

/** Imports libraries at once that others import later, from the files that these import. */
export const librariesAtOnce = {
  name: 'ambry-libraries-at-once',
  transform: (code, id) => {
    if (!id.startsWith(source)) {
      return null;
    }
    const imports = [];
    const changed = code.replace(/\bimport\((["'])([^"'.][^"']*)\1\)/g, (_, quote, name) => {
      const alias = `library${imports.length}`;
      imports.push(`import * as ${alias} from ${quote}${laterLibrary}${name}${quote}; `);
      return `Promise.resolve(${alias})`;
    });
    return sameLines(imports.join('') + changed);
  },
  resolveId: async function (path, importer) {
    if (!path.startsWith(laterLibrary)) {
      return null;
    }
    const { id } = await this.resolve(path.slice(laterLibrary.length), importer);
    const name = /([^/]+)(?:\/index)?\.js$/.exec(id)?.[1];
    const file = `libraries/${name}.js`;
    if (!existsSync(`${dist}${file}`)) {
      throw new Error(`${path} is no file of dist/libraries`);
    }
    return { id: `${marker}${file}`, external: true };
  },
};
const laterLibrary = 'ambry-later:';

/** A variant of an entry: files that are taken in the place of others, by their names from web/src. */
export const swapped = (swaps) => ({
  name: 'ambry-swapped',
  resolveId: async function (path, importer, options) {
    const found = importer && (await this.resolve(path, importer, { ...options, skipSelf: true }));
    const name = found && swaps[nameOf(found.id)];
    return name ? `${source}${name}.ts` : null;
  },
});
