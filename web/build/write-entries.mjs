// Writes web/src/entries/built/: what follows from the rows of web/src/entries/entry-table.ts and would otherwise be written again
// and again. These are the lists of all kinds of models (write-kinds.mjs), the scripts of workers, the list of all of them, and
// the entries for one purpose.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entries, workers } from '../src/entries/entry-table.ts';
import {
  firstLine,
  importsFrom,
  kindOfScript,
  kindsFiles,
  loaderOf,
  loadOf,
  pathTo,
} from './write-kinds.mjs';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const folder = 'entries/built/';
const scriptFolder = `${folder}workers/`;

/** The names of the workers that the script of a row serves. */
const servedBy = (name) =>
  Object.keys(workers).filter((other) => other === name || workers[other]?.script === name);

const importOf = (name, file) => `import { ${name} } from '${pathTo(file, scriptFolder)}';\n`;

function importsOf(name) {
  const { module, handlers } = workers[name];
  return [importOf(...handlers), importOf(loaderOf(module), `wasm/module-${module}.ts`)];
}

function scriptOf(name) {
  const names = servedBy(name);
  const { is, module, handlers } = workers[name];
  const kind = kindOfScript(name);
  const serve = kind ? 'serveModels' : names.length > 1 ? 'serveNamed' : 'serveCaching';
  const caching = 'entries/workers/serve-caching.ts';
  const calls = names.length > 1 ? `caching, ${serve}` : serve;
  const imports = new Set([...names.flatMap(importsOf), importOf(calls, caching)]);
  const each = (name) =>
    `  '${name}': caching(${loaderOf(workers[name].module)}, ${workers[name].handlers[0]}),\n`;
  const served =
    names.length > 1
      ? `{\n${names.map(each).join('')}}`
      : [loaderOf(module), kind && `'${kind}'`, handlers[0]].filter(Boolean).join(', ');
  return `${firstLine}// A page's worker for ${is}.
${[...imports].join('')}
${serve}(${served});
`;
}

/** The calls that start scripts, by the names of the workers. Bundlers look for addresses that are written out. */
function startersOf(names, place) {
  return names
    .map((name) => {
      const script = name === 'all' ? 'worker' : `${workers[name]?.script ?? name}-worker`;
      const url = `new URL('${place}/${script}.js', import.meta.url)`;
      return `  '${name}': () => new Worker(${url}, { type: 'module' }),\n`;
    })
    .join('');
}

/** How an entry opens models, and what it imports for that. In a page it has the code of its own kinds, and in Node of all,
 *  because it converts. */
function openersOf(kinds, platform) {
  if (platform === 'node') {
    return { given: 'openers', imports: [['openers', 'entries/built/kinds/node-openers.ts']] };
  }
  const loads = kinds.map((kind) => [kind, loadOf(kind, folder, true)]);
  const byKind = `{\n${loads.map(([kind, { load }]) => `  ${kind}: ${load},\n`).join('')}}`;
  // Files of trained classifiers hold text classifiers, too.
  const trained = `async () => (await import('${pathTo('text-classifier/trained/open.ts', folder)}')).openTrained`;
  return {
    given: `openersOf(${byKind}${kinds.includes('textClassifier') ? `, ${trained}` : ''})`,
    imports: [
      ['openersOf', 'entries/open-of-kind.ts'],
      ...loads.flatMap(([, { imports }]) => imports),
    ],
  };
}

/** What an entry does with a platform, and the imports that it takes. */
function exportsOf({ make, exports, kind, kinds = kind ? [kind] : [] }, platform) {
  const [name, file] = make ?? ['openOfKind', 'entries/open-of-kind.ts'];
  const own = kinds.length > 0 ? openersOf(kinds, platform) : { imports: [] };
  const given = [platform, kind && `'${kind}'`, own.given].filter(Boolean).join(', ');
  return [
    importsFrom([[name, file], ...own.imports], folder),
    `export const ${make ? `{ ${exports.join(', ')} }` : 'open'} = ${name}(${given});\n`,
  ];
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
  for (const [name, row] of Object.entries(workers)) {
    if (row && !row.script) {
      files.set(`workers/${name}-worker.ts`, scriptOf(name));
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
