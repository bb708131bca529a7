// Conversions that several commands start.
import { extname } from 'node:path';
import { convert } from '../../node.ts';
import type { ConvertOptions, ModelSource } from '../../types.ts';
import { formatsByExtension } from '../../wasm/tables.ts';
import type { Terminal } from '../shared/terminal.ts';
import { runFileJob } from './file-job.ts';

/** The formats of word vectors that can be converted to finalfusion. */
export const vectorFormats = ['word2vec', 'text', 'textdims', 'fasttext', 'floret'];
/** The formats that the bytes of a file do not tell. */
export const unmarkedFormats = vectorFormats.filter((format) => format !== 'fasttext');

export function formatOfFile(path: string): string | undefined {
  const formats: Readonly<Record<string, string>> = formatsByExtension;
  return formats[extname(path).toLowerCase()];
}

/** The conversion options that the commands set. */
export type ConversionSettings = Pick<
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
> & {
  /** The format of word vectors that are converted to finalfusion first. */
  readonly vectorFormat?: string | undefined;
};

/** Converts to a file or to standard output. Resolves to the exit code. */
export function convertFile(
  source: string,
  target: string,
  { metadata = {}, vectorFormat, ...settings }: ConversionSettings,
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  return runFileJob(
    {
      source,
      target,
      metadata,
      run: async (given, options) => {
        const { signal, onProgress, onWarning } = options;
        const how = { signal, onProgress, onWarning };
        return convert(await toFinalfusion(given, vectorFormat, how), { ...settings, ...options });
      },
      report: (_, warnings) => {
        if (json) terminal.printJson({ source, target, warnings });
        else terminal.print(`${source} → ${target}`);
      },
    },
    terminal,
  );
}

/** Converts word vectors of the format `from` to finalfusion. Returns a finalfusion source as it is. */
export async function toFinalfusion(
  source: ModelSource,
  from: string | undefined,
  options: Pick<ConvertOptions, 'signal' | 'onProgress' | 'onWarning' | 'lossy'>,
): Promise<ModelSource> {
  if (from === undefined || from === 'finalfusion') return source;
  return convert(source, { ...options, to: 'finalfusion', from });
}
