import { readFile, stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { convert } from '../node.ts';
import type { ConvertOptions, Problem } from '../types.ts';
import { defineCommand, oneOf } from './command.ts';
import { describe, UsageError } from './failure.ts';
import { convertSource, readable } from './input.ts';
import type { Terminal } from './terminal.ts';

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
    '--metadata     a JSON file of texts by name, to add to the target',
    '--lossy        leave out what the target cannot hold, with a warning, instead of refusing it',
    '--unnormalize  word vectors of the length that they had before they got length 1',
  ],
  options: {
    to: { type: 'string' },
    from: { type: 'string' },
    dtype: { type: 'string' },
    arch: { type: 'string' },
    metadata: { type: 'string' },
    lossy: { type: 'boolean' },
    unnormalize: { type: 'boolean' },
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
      ...(metadata !== undefined && { metadata: await readMetadata(metadata) }),
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

async function readMetadata(file: string): Promise<Record<string, string>> {
  await readable(file);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`, '--metadata');
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject && Object.values(value as object).every((text) => typeof text === 'string')) {
    return value as Record<string, string>;
  }
  throw new UsageError(`${file} must hold one object of texts`, '--metadata');
}

/** What a directory does not say of itself: what people call it, and when it was converted. A fixed
 *  SOURCE_DATE_EPOCH (reproducible-builds.org) makes equal input give equal bytes. */
export async function ownFacts(source: string): Promise<Record<string, string>> {
  const isDirectory = await stat(source).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isDirectory) return {};
  const epoch = process.env.SOURCE_DATE_EPOCH;
  const now = epoch === undefined ? new Date() : new Date(Number(epoch) * 1000);
  const created = now.toISOString().replace(/\.\d+Z$/, 'Z');
  return { model_name: basename(resolve(source)), created_at: created };
}

/** Writes a file, which appears only when it is whole, or standard output. */
export async function convertTo(
  source: string,
  target: string,
  settings: Pick<
    ConvertOptions,
    'to' | 'from' | 'dtype' | 'arch' | 'metadata' | 'lossy' | 'reconstruct' | 'unnormalize'
  >,
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  const warnings: Problem[] = [];
  const options = {
    ...settings,
    metadata: { ...(await ownFacts(source)), ...settings.metadata },
    signal: terminal.signal,
    onProgress: terminal.onProgress,
    onWarning: (warning: Problem) => warnings.push(warning),
  };
  const from = await convertSource(source);
  if (target === '-') {
    const blob = await convert(from, options);
    await terminal.write(blob.stream() as unknown as AsyncIterable<Uint8Array>);
  } else {
    await convert(from, { ...options, output: target });
  }
  for (const warning of warnings) terminal.note(`warning  ${describe(warning)}`);
  if (target === '-') return 0;
  if (json) terminal.json({ source, target, warnings });
  else terminal.print(`${source} → ${target}`);
  return 0;
}
