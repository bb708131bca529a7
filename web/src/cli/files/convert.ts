import { extname } from 'node:path';
import {
  convertDefaults,
  floatTypes,
  formatsByExtension,
  keptHeads,
  quantizations,
  quantizeTypes,
} from '../../entries/tables.ts';
import type { ConvertOptions } from '../../entries/types.ts';
import { adapterOptions, adapterPaths, parseAdapters } from '../shared/adapter-options.ts';
import { defineCommand } from '../shared/command.ts';
import {
  archOption,
  caseOptions,
  fetchOptions,
  forceOption,
  jsonOption,
  lossyOption,
  parseCaseOptions,
  parseFetchOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { readBytes } from '../shared/input.ts';
import { integer, oneOf } from '../shared/option-values.ts';
import { isObject } from '../shared/read-lines.ts';
import { choiceFor, nearestType } from '../shared/type-names.ts';
import { convertFile, formatOfFile, unmarkedFormats } from './conversion.ts';

/** `quantize` makes the other types. */
const dtypes = [...new Set(Object.values(floatTypes).flat())];
const targets = Object.entries(formatsByExtension).map(([end, format]) => `${format} (${end})`);

export const command = defineCommand({
  usage: 'SRC DST',
  summary: 'Convert a model file or a Hugging Face directory to another format',
  details: [
    'SRC is a file, a URL, a name at the hub (hf:owner/name), a directory with safetensors or ONNX, or - for standard input. DST is a file or - for standard output.',
    `The extension of DST gives the target format: ${targets.join(', ')}.`,
  ],
  options: {
    to: {
      type: 'string',
      short: 't',
      value: 'FORMAT',
      help: `The target format. Default: by the extension of DST, else ${convertDefaults.to}.`,
    },
    from: {
      type: 'string',
      short: 'f',
      value: 'FORMAT',
      help: `The source format. Needed for files whose bytes do not tell it: ${unmarkedFormats.join(', ')}. A source of another format is an error. Default: by the bytes of SRC.`,
    },
    dtype: {
      type: 'string',
      choices: dtypes,
      help: 'The type of the weight matrices. Default: as in the source.',
    },
    dim: {
      type: 'string',
      value: 'N',
      help: 'How many of the first numbers of each vector a static encoder keeps. Texts get the vectors that embed --dim N gives with the whole model. Default: all.',
    },
    ...archOption,
    ...caseOptions,
    task: {
      type: 'string',
      value: 'NAME',
      help: 'The task whose adapter is merged into the weights of an encoder that has adapters, such as jina-embeddings-v3. Default: no adapter.',
    },
    ...adapterOptions,
    head: {
      type: 'string',
      choices: keptHeads,
      help: 'From a masked language model to EMBD: keep its head, so that ambry fill opens the file. Default: leave it out.',
    },
    metadata: {
      type: 'string',
      short: 'm',
      value: 'FILE',
      help: 'A JSON file with one object of strings, which are added to the metadata. For finalfusion also a .toml file, which replaces the metadata. Default: none.',
    },
    plan: {
      type: 'string',
      value: 'FILE',
      help: 'From ONNX to tinyruntime: write the plan of the network to FILE. A tinyRuntime file has no graph, so classify needs the plan. Default: none.',
    },
    ...lossyOption,
    unnormalize: {
      type: 'boolean',
      short: 'u',
      help: 'Give word vectors the lengths that they had before they were normalized.',
    },
    ...fetchOptions,
    ...forceOption,
    ...jsonOption,
  },
  json: '{source, target, warnings}.',
  examples: [
    'convert all-MiniLM-L6-v2/ minilm.weights',
    'convert tinyllama.gguf tinyllama.amb',
    'convert glove.txt glove.fifu --from text',
  ],
  argumentCount: [2, 2],
  run: async (
    [source = '', target = ''],
    {
      to,
      from,
      dtype,
      dim,
      arch,
      task,
      head,
      metadata,
      plan,
      lossy = false,
      unnormalize = false,
      ...values
    },
    terminal,
  ) => {
    const { json, force } = values;
    const format = to ?? formatOfTarget(target);
    const storedType = parseType(dtype, format, source, target);
    const kept = integer(dim, '--dim');
    const keptHead = oneOf(head, '--head', keptHeads);
    const settings = {
      to: format,
      ...(from !== undefined && { from }),
      ...(storedType !== undefined && { dtype: storedType }),
      ...(kept !== undefined && { dim: kept }),
      ...(metadata !== undefined && (await readMetadata(metadata))),
      ...(arch !== undefined && { arch }),
      ...(task !== undefined && { task }),
      ...(keptHead && { head: keptHead }),
      ...parseCaseOptions(values),
      ...(await parseAdapters(values)),
      ...parseFetchOptions(values),
      lossy,
      unnormalize,
    };
    const inputs = [metadata, ...adapterPaths(values)];
    return convertFile(source, target, settings, { json, force, inputs, plan }, terminal);
  },
});

/** The types that `quantize` makes in the target's format are explained. */
function parseType(dtype: string | undefined, to: string, source: string, target: string) {
  const types: Readonly<Record<string, readonly string[]>> = quantizations;
  const own = types[to] ?? quantizeTypes;
  const known = dtype === undefined ? undefined : choiceFor(dtype, own);
  const near = known ?? nearestType(dtype ?? '', own);
  if (dtype === undefined || near === undefined || choiceFor(dtype, dtypes) !== undefined) {
    return oneOf(dtype, '--dtype', dtypes);
  }
  const what = known
    ? `${known} is a type that quantize makes`
    : `"${dtype}" is none of its types. The nearest one that quantize makes is ${near}`;
  const message = `A conversion stores weights as ${dtypes.join(', ')}, and ${what}: ambry quantize ${source} ${target} --type ${near}`;
  throw new UsageError(message, '--dtype');
}

/** The format that the extension of the target names. A name without an extension, and standard output, get the default. */
function formatOfTarget(target: string): string {
  const format = formatOfFile(target);
  const extension = extname(target);
  if (format !== undefined || extension === '') {
    return format ?? convertDefaults.to;
  }
  const known = Object.keys(formatsByExtension).join(', ');
  const message = `The extension ${extension} of ${target} names no format; there are ${known}. Name the format with --to.`;
  throw new UsageError(message, '--to');
}

async function readMetadata(
  file: string,
): Promise<Pick<ConvertOptions, 'metadata' | 'metadataToml'>> {
  const text = (await readBytes(file)).toString();
  if (extname(file).toLowerCase() === '.toml') {
    return { metadataToml: text };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`, '--metadata');
  }
  if (isObject(value) && Object.values(value).every((one) => typeof one === 'string')) {
    return { metadata: value as Record<string, string> };
  }
  throw new UsageError(`${file} must hold one JSON object whose values are strings.`, '--metadata');
}
