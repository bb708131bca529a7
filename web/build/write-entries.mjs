// Writes web/src/entries/built/: what follows from the rows of web/src/entries/entry-table.ts and would otherwise be written again
// and again. These are the lists of all kinds of models (write-kinds.mjs), the scripts of workers, the list of all of them, and
// the entries for one purpose.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entries, workers } from '../src/entries/entry-table.ts';
import { firstLine, kindOfScript, kindsFiles, loaderOf, pathTo } from './write-kinds.mjs';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const folder = 'entries/built/';
const scriptFolder = `${folder}workers/`;

/** @param {[string, import('../src/entries/entry-table.ts').ScriptRow]} row */
function scriptOf([
  name,
  {
    is,
    module,
    handlers: [handlers, file],
  },
]) {
  const loader = loaderOf(module);
  const kind = kindOfScript(name);
  const serve = kind ? 'serveModels' : 'serveCaching';
  const imports = [
    `import { ${handlers} } from '${pathTo(file, scriptFolder)}';\n`,
    `import { ${loader} } from '${pathTo(`wasm/module-${module}.ts`, scriptFolder)}';\n`,
    `import { ${serve} } from '${pathTo('entries/workers/serve-caching.ts', scriptFolder)}';\n`,
  ];
  const served = [loader, kind && `'${kind}'`, handlers].filter(Boolean);
  return `${firstLine}// A page's worker for ${is}.
${imports.join('')}
${serve}(${served.join(', ')});
`;
}

/** The calls that start scripts, by the names of the workers. Bundlers look for addresses that are written out. */
function startersOf(names, place) {
  return names
    .map((name) => {
      const script = name === 'all' ? 'worker' : `${name}-worker`;
      const url = `new URL('${place}/${script}.js', import.meta.url)`;
      return `  '${name}': () => new Worker(${url}, { type: 'module' }),\n`;
    })
    .join('');
}

/** What an entry does with a platform, and the imports that it takes. */
function exportsOf({ make, exports, kind }, platform) {
  const [name, file] = make ?? ['openOfKind', 'entries/open-of-kind.ts'];
  const imports = `import { ${name} } from '${pathTo(file, folder)}';\n`;
  return make
    ? [imports, `export const { ${exports.join(', ')} } = ${name}(${platform});\n`]
    : [imports, `export const open = ${name}(${platform}, '${kind}');\n`];
}

const othersOf = ({ others = {} }) =>
  Object.entries(others)
    .map(([file, names]) => `export { ${names.join(', ')} } from '${pathTo(file, folder)}';\n`)
    .join('');

const ambryError = `export { AmbryError } from '${pathTo('base/errors.ts', folder)}';\n`;

function pageEntry([name, row]) {
  const [imports, exported] = exportsOf(row, 'page');
  const classes = Object.entries(row.classes).map(
    ([type, file]) => `export type { ${type} } from '${pathTo(file, folder)}';\n`,
  );
  return `${firstLine}// \`ambry/${name}\`: ${row.is}.
import { pagePlatform } from '${pathTo('platform/page-platform.ts', folder)}';
${imports}
${ambryError}${othersOf(row)}${classes.join('')}export type * from '${pathTo('entries/types.ts', folder)}';

const page = pagePlatform({
${startersOf(row.workers, './workers')}});

${exported}`;
}

function nodeEntry([name, row]) {
  const [imports, exported] = exportsOf(row, 'node');
  return `${firstLine}// \`ambry/${name}\` in Node.
import { node } from '${pathTo('entries/node-platform.ts', folder)}';
${imports}
${ambryError}${othersOf(row)}
${exported}`;
}

const allScripts = `${firstLine}// The scripts of all workers.
import type { WorkerName } from '${pathTo('platform/platform.ts', scriptFolder)}';
import type { Starter } from '${pathTo('platform/start-worker.ts', scriptFolder)}';

export const scripts: Readonly<Record<WorkerName, Starter>> = {
${startersOf(Object.keys(workers), '.')}};
`;

/** Writes the files that have changed, and removes those of rows that are gone. */
export function writeEntries() {
  const files = new Map([...kindsFiles(), ['workers/scripts.ts', allScripts]]);
  for (const row of Object.entries(workers)) {
    if (row[1]) {
      files.set(`workers/${row[0]}-worker.ts`, scriptOf(row));
    }
  }
  for (const row of Object.entries(entries)) {
    files.set(`${row[0]}.ts`, pageEntry(row));
    files.set(`node-${row[0]}.ts`, nodeEntry(row));
  }
  const target = `${source}${folder}`;
  for (const [name, text] of files) {
    const path = target + name;
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
  for (const name of readdirSync(target, { recursive: true })) {
    if (name.endsWith('.ts') && !files.has(name.replaceAll('\\', '/'))) {
      rmSync(target + name);
    }
  }
}
