// Writes what follows from the kinds of models for web/src/entries/built/kinds/: their classes and types, their names in words, how they are opened on
// the caller's side, and the calls of their workers.
import { posix } from 'node:path';
import { kinds, workers } from '../src/entries/entry-table.ts';

export const firstLine =
  '// Made by web/build/write-entries.mjs from web/src/entries/entry-table.ts.\n';

/** Import paths lead to `file` from a file of `from`; both are paths from web/src. */
export const pathTo = (file, from) => {
  const path = posix.relative(from, file);
  return path.startsWith('.') ? path : `./${path}`;
};

const camelCased = (name) => name.replace(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase());

/** The name of what loads a module. */
export const loaderOf = (module) => `module${camelCased(module)}`;

/** The kind of models that a script opens, if it is made of a row and serves the models of one kind. */
export const kindOfScript = (name) =>
  Object.keys(kinds).find((kind) => kinds[kind].worker === name && workers[name]);

const folder = 'entries/built/kinds/';
const rows = Object.entries(kinds);
const each = (row) => rows.map(row).join('');
const from = (file) => `from '${pathTo(file, folder)}';`;
const importOf = ([name, file]) => `import { ${name} } ${from(file)}\n`;

const classes = `${firstLine}// The classes of models.
${each(([, row]) => `import type { ${row.class[0]} } ${from(row.class[1])}\n`)}
export type { ${rows.map(([, row]) => row.class[0]).join(', ')} };

/** The class of each kind. */
export interface ModelOfKind {
${each(([kind, row]) => `  ${kind}: ${row.class[0]};\n`)}}

/** An opened model. \`kind\` says which one it is. */
export type Model = ModelOfKind[keyof ModelOfKind];
`;

const types = `${firstLine}// The public types of each kind of models.
${each((row) => `export type * ${from(row[1].types)}\n`)}`;

const names = `${firstLine}// The kinds of models in words, and the worker that runs each.
import type { ModelKind } ${from('model/kind.ts')}
import type { WorkerName } ${from('platform/platform.ts')}

export const kindNames: Readonly<Record<ModelKind, string>> = {
${each(([kind, { is }]) => `  ${kind}: ${JSON.stringify(is)},\n`)}};

/** Something for each kind, made of the name of its worker. */
export const forWorkers = <T>(made: (worker: WorkerName) => T): Record<ModelKind, T> => ({
${each(([kind, { worker }]) => `  ${kind}: made('${worker}'),\n`)}});
`;

/** Most pages open models of this kind. They fetch the code of the others with their first model of that kind. */
const [atOnce] = rows;

/** A function that loads the code of a kind, for a file of the folder `from`, and what that imports. `ofEntry`: for a page of
 *  an entry for one purpose. */
export function loadOf(kind, from, ofEntry = false) {
  const {
    class: [name, file],
    make: usual,
    makeOfEncoder,
  } = kinds[kind];
  const make = (ofEntry && makeOfEncoder) || usual;
  const later = ([name, file]) => `(await import('${pathTo(file, from)}')).${name}`;
  if (make) {
    return { load: `async () => ${later(make)}`, imports: [] };
  }
  const isAtOnce = kind === atOnce[0];
  const loaded = isAtOnce ? name : later([name, file]);
  return {
    load: `async () => made<${name}>(${loaded})`,
    imports: [
      ['made', 'model/open.ts'],
      [isAtOnce ? name : `type ${name}`, file],
    ],
  };
}

/** Imports, each once. */
export function importsFrom(imports, from) {
  const lines = imports.map(([name, file]) => {
    const [, type = '', bare] = /^(type )?(.*)$/.exec(name);
    return `import ${type}{ ${bare} } from '${pathTo(file, from)}';\n`;
  });
  return [...new Set(lines)].join('');
}

const choosers = new Map(rows.flatMap(([, row]) => (row.chooseWorker ? [row.chooseWorker] : [])));

function workerOf([kind, { worker, chooseWorker }]) {
  const choose = chooseWorker ? chooseWorker[0] : `() => '${worker}'`;
  return `  ${kind}: { worker: ${choose}, load: loads.${kind} },\n`;
}

const openersWith = `${firstLine}// The worker of each kind of models.
import type { ModelKind } ${from('model/kind.ts')}
import type { Load, Openers } ${from('model/open.ts')}
${[...choosers].map(importOf).join('')}
/** Openers that load the code for models with \`loads\`. */
export const openersWith = <T>(loads: { readonly [K in ModelKind]: Load<T> }): Openers<T>['kinds'] => ({
${each(workerOf)}});
`;

const allLoads = rows.map(([kind]) => [kind, loadOf(kind, folder)]);

const openers = `${firstLine}// How each kind of models is opened, also after a conversion.
${importsFrom(
  [
    ['type Openers', 'model/open.ts'],
    ['type Model', `${folder}models.ts`],
    ['openersWith', `${folder}openers-with.ts`],
    ...allLoads.flatMap(([, { imports }]) => imports),
  ],
  folder,
)}
export const openers: Openers<Model> = {
  kinds: openersWith<Model>({
${allLoads.map(([kind, { load }]) => `    ${kind}: ${load},\n`).join('')}  }),
  conversion: async () =>
    (await import('${pathTo('convert/convert-to-run.ts', folder)}')).convertToRun,
  trained: async () =>
    (await import('${pathTo('text-classifier/trained/open.ts', folder)}')).openTrained,
};
`;

/** The kinds whose workers have rows. */
const served = rows.flatMap(([kind, { worker }]) =>
  workers[worker] ? [{ kind, ...workers[worker] }] : [],
);
const eachServed = (row) => served.map(row).join('');

const handlers = `${firstLine}// The calls of workers for models of one kind.
import type { ModelHandlers } ${from('model/worker-open.ts')}
import type { CallMap } ${from('rpc/protocol.ts')}
import type { RuntimeOf, WorkerRuntime } ${from('runtime/worker-runtime.ts')}
import type { RangedSources } ${from('sources/ranged.ts')}
import type { CoreModule, PackagedModule } ${from('wasm/module.mjs')}
${eachServed((row) => importOf(row.handlers))}${eachServed(({ module }) => importOf([loaderOf(module), `wasm/module-${module}.ts`]))}
type CallsOf<H> = H extends (...args: never[]) => ModelHandlers<infer C> ? C : never;
export type KindCalls = ${served.map((row) => `CallsOf<typeof ${row.handlers[0]}>`).join(' & ')};

export function kindHandlers(runtimeOf: RuntimeOf, sources: RangedSources) {
  const made = <M extends CoreModule, C extends CallMap<C>>(
    packaged: PackagedModule<M>,
    make: (runtime: WorkerRuntime<M>, sources: RangedSources) => ModelHandlers<C>,
  ) => make(runtimeOf(packaged), sources);
  return {
${eachServed((row) => `    ${row.kind}: made(${loaderOf(row.module)}, ${row.handlers[0]}),\n`)}  };
}
`;

/** The files by their names in built/. */
export const kindsFiles = () => [
  ['kinds/models.ts', classes],
  ['kinds/types.ts', types],
  ['kinds/names.ts', names],
  ['kinds/openers-with.ts', openersWith],
  // Bundlers take along what a file imports later, also where its functions are not called. So it is not in the file that
  // all pages fetch, and Node's entries, which share it, have one of their own.
  ['kinds/openers.ts', openers],
  ['kinds/node-openers.ts', openers],
  ['kinds/worker-kinds.ts', handlers],
];
