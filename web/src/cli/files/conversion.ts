// Conversions that several commands start.
import { extname } from 'node:path';
import { AmbryError } from '../../base/errors.ts';
import { conversions, type FormatId, formats, formatsByExtension } from '../../entries/tables.ts';
import type { ConvertOptions, ModelDirectory, ModelSource } from '../../entries/types.ts';
import { convert } from '../../node.ts';
import type { Fetching } from '../shared/common-options.ts';
import type { Terminal } from '../shared/terminal.ts';
import { type FileJob, reportTarget, runFileJob } from './file-job.ts';
import { checkPlanPath, NetworkPlan } from './network-plan.ts';

/** The format in which word vectors are opened. */
export const wordsFormat = 'finalfusion' satisfies FormatId;
/** The other formats of word vectors. They are converted to it first. */
export const vectorFormats = Object.entries(conversions)
  .filter(([from, targets]) => from !== wordsFormat && targets.some((to) => to === wordsFormat))
  .map(([from]) => from);
/** The formats that the bytes of a file do not tell. */
export const unmarkedFormats = formats
  .filter(({ inspects, magics }) => !inspects && magics.length === 0)
  .map(({ id }) => id);

export function formatOfFile(path: string): string | undefined {
  const byExtension: Readonly<Record<string, string>> = formatsByExtension;
  return byExtension[extname(path).toLowerCase()];
}

/** The conversion options that the commands set. */
export type ConversionSettings = Pick<
  ConvertOptions,
  | 'to'
  | 'from'
  | 'dtype'
  | 'dim'
  | 'arch'
  | 'lowercase'
  | 'task'
  | 'adapter'
  | 'head'
  | 'metadata'
  | 'metadataToml'
  | 'lossy'
  | 'reconstruct'
  | 'unnormalize'
  | 'explicit'
  | 'select'
> &
  Fetching & {
    /** The format of word vectors that are converted to finalfusion first. */
    readonly vectorFormat?: string | undefined;
  };

/** How the commands run a conversion. */
type ConversionRun = Pick<FileJob<unknown>, 'inputs'> & {
  readonly json?: boolean | undefined;
  readonly force?: boolean | undefined;
  /** The file for the plan of a network. */
  readonly plan?: string | undefined;
};

/** Converts to a file or to standard output. Resolves to the exit code. */
export async function convertFile(
  source: string,
  target: string,
  { metadata = {}, vectorFormat, ...settings }: ConversionSettings,
  { json = false, force = false, inputs = [], plan }: ConversionRun,
  terminal: Terminal,
): Promise<number> {
  const { stallTimeout, hub, followBase, cache } = settings;
  await checkPlanPath(plan, [source, target]);
  const network = new NetworkPlan();
  const fetching = {
    ...(stallTimeout !== undefined && { stallTimeout }),
    ...(hub && { hub }),
    ...(followBase && { followBase }),
    ...(cache !== undefined && { cache }),
  };
  const code = await runFileJob(
    {
      source,
      target,
      metadata,
      inputs,
      force,
      fetching,
      run: async (given, options) => {
        const { signal, onProgress, onWarning } = options;
        const how = { signal, onProgress, onWarning, ...fetching };
        const source = await toFinalfusion(await readableTwice(given, settings), vectorFormat, how);
        const { onReport } = network;
        return convert(source, { ...settings, ...options, onReport }).catch(
          async (error: unknown) => {
            if (!needsFinalfusion(error)) {
              throw error;
            }
            const vectors = await convert(source, { ...how, to: wordsFormat });
            return convert(vectors, { ...settings, ...options });
          },
        );
      },
      report: (_, warnings) => reportTarget({ source, target }, json, { warnings }, terminal),
    },
    terminal,
  );
  await network.write(plan, terminal);
  return code;
}

/** Whether the core wants word vectors to be converted to finalfusion first. It says so before it writes anything. */
function needsFinalfusion(error: unknown): boolean {
  if (!(error instanceof AmbryError) || error.code !== 'Unsupported') {
    return false;
  }
  return error.path === 'options.select' || error.path === 'options.explicit';
}

async function readableTwice(
  source: ModelSource | ModelDirectory,
  { select, explicit }: ConversionSettings,
): Promise<ModelSource | ModelDirectory> {
  if (!(source instanceof ReadableStream) || !(select || explicit)) {
    return source;
  }
  return new Response(source).blob();
}

/** Converts word vectors of the format `from` to finalfusion. Returns a finalfusion source as it is. */
export async function toFinalfusion<S extends ModelSource | ModelDirectory>(
  source: S,
  from: string | undefined,
  options: Pick<ConvertOptions, 'signal' | 'onProgress' | 'onWarning' | 'lossy'> & Fetching,
): Promise<S | Blob> {
  if (from === undefined || from === wordsFormat) {
    return source;
  }
  return convert(source, { ...options, to: wordsFormat, from });
}
