import { extname } from 'node:path';
import { convert } from '../../node.ts';
import type { ConvertOptions } from '../../types.ts';
import { defineCommand, oneOf } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { readBytes } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';
import { finalfusionOf } from '../words/open-words.ts';
import { writeTarget } from './write-target.ts';

export const command = defineCommand({
  usage:
    'convert SRC DST [--to FORMAT] [--from FORMAT] [--dtype f32|f16|bf16] [--arch A] [--metadata FILE] [--lossy] [--unnormalize] [--json]',
  summary: 'convert a model file or a Hugging Face directory (safetensors)',
  details: [
    '--to           the target format; by the name of DST when absent (embd: .weights, finalfusion: .fifu,',
    '               word2vec: .w2v, textdims: .vec, text: .txt, floret: .floret)',
    '--from         what the source is, where its bytes do not tell (word2vec, text, textdims, floret)',
    '--dtype        how to store the weight matrices; as in the source when absent',
    '--arch         the model’s architecture, where the source does not state it',
    '--metadata     a JSON file of texts by name, to add to the target; for finalfusion also a .toml file, which',
    '               replaces what the source says of itself',
    '--lossy        leave out what the target cannot hold, with a warning, instead of refusing it',
    '--unnormalize  word vectors of the length that they had before they got length 1',
    '-t, -f, -m, -u stand for --to, --from, --metadata, --unnormalize.',
  ],
  options: {
    to: { type: 'string', short: 't' },
    from: { type: 'string', short: 'f' },
    dtype: { type: 'string' },
    arch: { type: 'string' },
    metadata: { type: 'string', short: 'm' },
    lossy: { type: 'boolean' },
    unnormalize: { type: 'boolean', short: 'u' },
    json: { type: 'boolean' },
  },
  takes: [2, 2],
  run: async (
    [source = '', target = ''],
    { to, from, dtype, arch, metadata, lossy = false, unnormalize = false, json = false },
    terminal,
  ) => {
    const stored = oneOf(dtype, '--dtype', ['f32', 'f16', 'bf16']);
    const options = {
      to: to ?? formatByName(target) ?? 'embd',
      ...(from !== undefined && { from }),
      ...(stored !== undefined && { dtype: stored }),
      ...(metadata !== undefined && (await readMetadata(metadata))),
      ...(arch !== undefined && { arch }),
      lossy,
      unnormalize,
    };
    return convertTo(source, target, options, json, terminal);
  },
});

/** Names of formats by the extensions people give their files. */
const kExtensions: Readonly<Record<string, string>> = {
  '.weights': 'embd',
  '.safetensors': 'safetensors',
  '.gguf': 'gguf',
  '.fifu': 'finalfusion',
  '.w2v': 'word2vec',
  '.vec': 'textdims',
  '.txt': 'text',
  '.floret': 'floret',
  '.amb': 'amb',
  '.alt': 'alt',
};

export function formatByName(target: string): string | undefined {
  return kExtensions[extname(target).toLowerCase()];
}

async function readMetadata(
  file: string,
): Promise<Pick<ConvertOptions, 'metadata' | 'metadataToml'>> {
  const text = (await readBytes(file)).toString();
  if (extname(file).toLowerCase() === '.toml') return { metadataToml: text };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`, '--metadata');
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject && Object.values(value as object).every((one) => typeof one === 'string')) {
    return { metadata: value as Record<string, string> };
  }
  throw new UsageError(`${file} must hold one object of texts`, '--metadata');
}

/** Writes a file, which appears only when it is whole, or standard output. A source of the format `through`
 *  becomes finalfusion first. */
export function convertTo(
  source: string,
  target: string,
  settings: Pick<
    ConvertOptions,
    | 'to'
    | 'from'
    | 'dtype'
    | 'arch'
    | 'metadata'
    | 'metadataToml'
    | 'lossy'
    | 'reconstruct'
    | 'unnormalize'
    | 'explicit'
    | 'select'
  > & { readonly through?: string | undefined },
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  const { metadata = {}, through, ...own } = settings;
  return writeTarget(
    source,
    target,
    metadata,
    terminal,
    async (given, options) => {
      const { signal, onProgress, onWarning } = options;
      const from = await finalfusionOf(given, through, { signal, onProgress, onWarning });
      return convert(from, { ...own, ...options });
    },
    (_, warnings) => {
      if (json) terminal.json({ source, target, warnings });
      else terminal.print(`${source} → ${target}`);
    },
  );
}
