// What web/src/wasm/ has besides compiled files: the modules' types and their loaders, from modules.json.
import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {object} Module
 * @property {string} name `ambry-encoder-small`
 * @property {string} type its interface, `EncoderSmallModule`
 * @property {string} loader `module-encoder-small`, which exports `moduleEncoderSmall`
 * @property {string} holds what it is for
 * @property {string[]} bindings each has a .cpp in bindings/, and a .d.mts in declarations/ if it binds functions; every module
 *   has `core` besides
 * @property {string[]} [choices] each has a .cpp in choices/, without functions: definitions that the linker takes instead
 *   of weak ones of the core, to leave out what the module does not run
 * @property {string[]} flavours
 * @property {string} [package] the npm package that has the WebAssembly; by default `ambry`
 * @property {boolean} [sharesMemory] several instances can run over one memory
 */

const firstLine = '// Made by wasm/build.mjs from wasm/modules.json.\n';

const capitalized = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const interfaceOf = (binding) => `${capitalized(binding)}Bindings`;
/** Bindings that begin jobs or open models have rows in a table, and some have nothing else. */
const isDeclared = (binding) =>
  existsSync(new URL(`declarations/${binding}.d.mts`, import.meta.url));
const shortName = (module) => module.replace('ambry-', '');
const camelCased = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** @returns {Module[]} */
export function readModules() {
  const table = JSON.parse(readFileSync(new URL('modules.json', import.meta.url), 'utf8'));
  return Object.entries(table).map(([name, rest]) => ({
    ...rest,
    name,
    type: `${capitalized(camelCased(shortName(name)))}Module`,
    loader: `module-${shortName(name)}`,
  }));
}

/** module.d.mts: the names and interfaces of all modules, and every type that they use. */
export function typesOfAll(modules) {
  const bindings = [...new Set(modules.flatMap((module) => module.bindings))]
    .filter(isDeclared)
    .sort();
  const imports = bindings.map(
    (name) => `import type { ${interfaceOf(name)} } from './${name}.mjs';\n`,
  );
  const exports = ['core', ...bindings, 'types'].map(
    (name) => `export type * from './${name}.mjs';\n`,
  );
  const interfaces = modules.map(({ type, holds, bindings }) => {
    const parents = ['CoreModule', ...bindings.filter(isDeclared).map(interfaceOf)].join(', ');
    return `\n/** ${capitalized(holds)}. */\nexport interface ${type} extends ${parents} {}\n`;
  });
  const core = "import type { CoreModule } from './core.mjs';\n";
  const names = modules.filter((module) => !module.package).map(({ name }) => shortName(name));
  const union = names.map((name) => `\n  | '${name}'`).join('');
  const name = `\n/** The modules of the package, by what they run. */\nexport type ModuleName =${union};\n`;
  return [firstLine, core, ...imports, '\n', ...exports, name, ...interfaces].join('');
}

/** The types of a module's JavaScript. */
export function typesOf({ type }) {
  return `${firstLine}import type { CreateModule, ${type} } from './module.mjs';

export type * from './module.mjs';
declare const create: CreateModule<${type}>;
export default create;
`;
}

const written = (numbers) =>
  `{ ${Object.entries(numbers)
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ')} }`;

/** What a worker's entry imports. Bundlers see addresses that are written out, and ship the files. They are made when they
 *  are used, because not every runtime has an `import.meta.url`. `sharedAt` is what clearSharedFlag() says of each flavour. */
export function loaderOf(module, sharedAt) {
  const { name, type, loader, flavours, sharesMemory } = module;
  const kind = module.package ? 'ModuleGlue' : 'PackagedModule';
  const urls = flavours.map(
    (flavour) =>
      `  get ${flavour}() {\n    return new URL('./${name}-${flavour}.wasm', import.meta.url);\n  },\n`,
  );
  return `${firstLine}import create from './${name}.mjs';
import type { ${[type, kind].sort().join(', ')} } from './module.mjs';

export const ${camelCased(loader)}: ${kind}<${type}> = {
  create,
${module.package ? '' : [`  name: '${name}',\n`, ...urls].join('')}${sharesMemory ? `  sharedAt: ${written(sharedAt)},\n` : ''}};
`;
}
