// The glue of modules with the same imports differs in one thing: the short names that the linker has given to them. So the names
// go to the module's own file, and the glue is written once. Modules that import their memory have no short names.

/** What the caller of the glue passes the names as. */
const option = 'importNames';
const table = /\bvar wasmImports=\{([^{}]*)\};/g;

/**
 * Takes the short names out of the glue of one module.
 * @param {string} glue as Emscripten wrote it
 * @returns {{ glue: string, names: string[] }} without names if there are no short ones
 */
export function splitGlue(glue) {
  const [found, ...more] = glue.matchAll(table);
  if (!found || more.length > 0) {
    throw new Error(
      'the glue must have one table wasmImports, and this version of Emscripten writes another',
    );
  }
  const rows = (found[1] ?? '').split(',').map((row) => row.split(':'));
  if (rows.some(([, name]) => name === undefined)) {
    return { glue, names: [] };
  }
  rows.sort(([, a], [, b]) => (a < b ? -1 : 1));
  const functions = rows.map(([, name]) => name).join(',');
  const shared = `var wasmImports={};[${functions}].forEach((each,i)=>{wasmImports[Module["${option}"][i]]=each});`;
  return { glue: glue.replace(found[0], () => shared), names: rows.map(([name]) => name) };
}

/**
 * The file of one module, which leads to the glue with the names of this module.
 * @param {string} glue the name of the file of the glue
 * @param {readonly string[]} names
 */
export function moduleWithGlue(glue, names) {
  if (names.length === 0) {
    return `export { default } from './${glue}.mjs';\n`;
  }
  return `import create from './${glue}.mjs';
const ${option} = '${names.join(' ')}'.split(' ');
export default (options) => create({ ...options, ${option} });
`;
}
