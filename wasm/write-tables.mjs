// Writes web/src/wasm/tables.ts: the core's tables of formats and types, as the built module exports them
// (core/api/files/tables.h). build.mjs calls it; everything in TypeScript that lists formats, types of
// numbers, conversions or quantizations imports from that file.
//
//   node wasm/write-tables.mjs
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * @typedef {{ id: string, label: string, extensions: string[], magics: string[], runs: string | null,
 *   inspects: boolean, reads: boolean, writes: boolean }} Format
 * @typedef {{ name: string, block: [number, number] | null, formats: Record<string, number | string> }} DType
 * @typedef {{ formats: Format[], dtypes: DType[], targetDTypes: string[], scaleTypes: string[],
 *   conversions: Record<string, string[]>, quantizations: Record<string, string[]>,
 *   openings: unknown[], architectureNames: Record<string, string[]>, architectures: string[] }} Tables
 */

const modules = new URL('../web/src/wasm/', import.meta.url);

/**
 * What the module with everything exports.
 * @returns {Promise<Tables>}
 */
export async function exportedTables() {
  const { default: createAmbryModule } = await import(new URL('ambry.mjs', modules).href);
  const code = new WebAssembly.Module(readFileSync(new URL('ambry-baseline.wasm', modules)));
  const module = await createAmbryModule({
    wasmMemory: new WebAssembly.Memory({ initial: 256, maximum: 65536 }),
    instantiateWasm: (
      /** @type {WebAssembly.Imports} */ imports,
      /** @type {(instance: WebAssembly.Instance, module: WebAssembly.Module) => void} */ receive,
    ) => {
      receive(new WebAssembly.Instance(code, imports), code);
      return {};
    },
  });
  return JSON.parse(module.tables());
}

/**
 * Names of written formats by extension, where it is the first one of that format alone.
 * @param {Format[]} formats
 */
function byExtension(formats) {
  const written = formats.filter(({ writes }) => writes);
  const first = written.map(({ extensions, id }) => [extensions[0], id]);
  const isOnly = ([extension]) => first.filter(([other]) => other === extension).length === 1;
  return Object.fromEntries(first.filter(isOnly));
}

/**
 * The text of the file. Each list is a constant of its own, so that a page downloads those that it uses.
 * @param {Tables} tables
 */
export function tablesText({ formats, dtypes, ...lists }) {
  const column = (/** @type {(row: Format) => unknown} */ of, rows = formats) =>
    Object.fromEntries(rows.map((row) => [row.id, of(row)]));
  const constants = {
    formats: ['Formats, then kinds of files that are only converted.', formats],
    formatLabels: ['As people write their names.', column(({ label }) => label)],
    targetExtensions: [
      'What a file of a format that is written is called.',
      column(
        ({ extensions }) => extensions[0],
        formats.filter(({ writes }) => writes),
      ),
    ],
    formatsByExtension: [
      'The format that is meant where a file to be written is called so.',
      byExtension(formats),
    ],
    convertedOnly: [
      'Kinds of files that are only converted.',
      formats.filter(({ inspects }) => !inspects).map(({ id }) => id),
    ],
    modelMagics: [
      'First bytes of files that hold a model to run, a byte a character, and what it is run as.',
      formats.flatMap(({ magics, runs }) => (runs ? magics.map((magic) => [magic, runs]) : [])),
    ],
    openings: [
      'What files open as by their first 1,024 bytes: the first row counts whose marks all fit. A mark is one of `bytes`, a byte a character, at a place or anywhere. `also` is what the file can be converted to besides. `code` is what runs an encoder.',
      lists.openings,
    ],
    architectureNames: [
      'The architectures that run, as files of each container name them.',
      lists.architectureNames,
    ],
    architectures: [
      'The architectures of models that generate text, as Hugging Face names them.',
      lists.architectures,
    ],
    dtypes: ['Types of the elements of tensors; `formats` has their number or name there.', dtypes],
    floatTypes: [
      'The floats that `dtype` of a conversion may be, by target.',
      Object.fromEntries(
        [...new Set(dtypes.flatMap((dtype) => Object.keys(dtype.formats)))].map((format) => [
          format,
          dtypes
            .filter(({ name, block }) => block !== null && lists.targetDTypes.includes(name))
            .filter((dtype) => dtype.formats[format] !== undefined)
            .map(({ name }) => name),
        ]),
      ),
    ],
    targetDTypes: ['What `dtype` of a conversion may be.', lists.targetDTypes],
    scaleTypes: ['What `scale` of a quantization may be.', lists.scaleTypes],
    conversions: ['What each kind of source can become.', lists.conversions],
    quantizations: ['The types that each format can be quantized to.', lists.quantizations],
    quantizeTypes: ['All of them.', [...new Set(Object.values(lists.quantizations).flat())]],
  };
  const types = {
    FormatId: "(typeof formats)[number]['id']",
    ModelKind: "NonNullable<(typeof formats)[number]['runs']>",
    DTypeName: "(typeof dtypes)[number]['name']",
    TargetDType: '(typeof targetDTypes)[number]',
    ScaleType: '(typeof scaleTypes)[number]',
    QuantizeType: '(typeof quantizeTypes)[number]',
  };
  return [
    '// Made by wasm/write-tables.mjs out of the tables of the core; to change them, change those.\n',
    ...Object.entries(constants).map(
      ([name, [comment, value]]) =>
        `/** ${comment} */\nexport const ${name} = ${JSON.stringify(value)} as const;\n`,
    ),
    Object.entries(types)
      .map(([name, type]) => `export type ${name} = ${type};\n`)
      .join(''),
  ].join('\n');
}

export async function writeTables() {
  const text = tablesText(await exportedTables());
  const to = new URL('tables.ts', modules);
  // Whoever watches the file rests while it stays the same.
  const old = statSync(to, { throwIfNoEntry: false });
  if (!old || readFileSync(to, 'utf8') !== text) {
    writeFileSync(to, text);
  }
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  await writeTables();
  process.stdout.write(`${fileURLToPath(new URL('tables.ts', modules))}\n`);
}
