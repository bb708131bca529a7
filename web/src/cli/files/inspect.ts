import { AmbryError, errorFrom, isAbort, isOfFile } from '../../base/errors.ts';
import type { Inspection, JobOptions, ModelSource, RunReport } from '../../entries/types.ts';
import { inspect, runReport, validate } from '../../node.ts';
import { isHubName } from '../../sources/wire-source.ts';
import { defineCommand } from '../shared/command.ts';
import {
  type Fetching,
  fetchOptions,
  jsonOption,
  parseFetchOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { directorySource, namesDirectory, unreadable } from '../shared/input.ts';
import { statisticsTable, summaryTable, tensorTable } from './inspect-tables.ts';

export const command = defineCommand({
  usage: 'MODEL',
  summary: 'Show what a model holds, and whether and how it runs here',
  details: [
    'MODEL is a file, a directory, a URL, a name at the hub (hf:owner/name), or - for standard input: all that commands with MODEL open. Only headers and tables are read, and for a directory its small files.',
    'An obstacle is the error with which the model would not open. The exit code is 0 if the model can be read, also if it does not run.',
  ],
  options: {
    tensors: { type: 'boolean', help: 'List the tensors with type, shape, offset and bytes.' },
    stats: {
      type: 'boolean',
      help: 'Read all values, and show the minimum, maximum, mean and standard deviation of each tensor and how many values are zero or NaN.',
    },
    ...fetchOptions,
    ...jsonOption,
  },
  json: '{file, format, version, bytes, metadata, config, tokenizer, tensors, regions, metadataToml, run, statistics?}. run is {kind, format, converts, memory, obstacle, warnings, generator?, files?}. --stats adds statistics. Of a directory and of word vectors in text there are only file and run.',
  examples: [
    'inspect minilm.weights --tensors',
    'inspect all-MiniLM-L6-v2',
    'inspect https://example.org/model.gguf --json',
  ],
  argumentCount: [1, 1],
  run: async ([file = ''], { json, tensors, stats, ...values }, terminal) => {
    const { signal, onProgress } = terminal;
    const call = { signal, onProgress, ...parseFetchOptions(values) };
    const given = await directorySource(file);
    // A stream can be read only once, and a conversion and --stats read again.
    const source = given instanceof ReadableStream ? await copyOf(given) : given;
    const { info, run } = await lookInto(source, await namesDirectory(file), call);
    if (!info && (tensors || stats)) {
      throw noFile(file, tensors ? '--tensors' : '--stats');
    }
    const { statistics } = stats && info ? await validate(source, { ...call, values: true }) : {};
    if (json) {
      terminal.printJson({ file, ...info, run, ...(statistics && { statistics }) });
      return 0;
    }
    terminal.print(file);
    for (const line of summaryTable(info, run)) {
      terminal.print(`  ${line}`);
    }
    if (tensors && info) {
      for (const line of tensorTable(info)) {
        terminal.print(`  ${line}`);
      }
    }
    if (statistics) {
      for (const line of statisticsTable(statistics)) {
        terminal.print(`  ${line}`);
      }
    }
    return 0;
  },
});

type Call = Fetching & JobOptions;

/** What a file says of itself, if the model is one that does, and what it runs as. */
async function lookInto(
  source: ModelSource,
  isDirectory: boolean,
  call: Call,
): Promise<{ readonly info?: Inspection; readonly run: RunReport }> {
  if (isDirectory) {
    const run = await runReport(source, call);
    if (run.obstacle && !run.converts) {
      throw errorFrom(run.obstacle);
    }
    return { run };
  }
  const info = await inspect(source, call).catch((error: unknown) => {
    if (isOfFile(error) || isChoice(source, error)) {
      return error;
    }
    throw error;
  });
  if (!(info instanceof AmbryError)) {
    return { info, run: info.run.converts ? await runReport(source, call) : info.run };
  }
  // Word vectors in text, or several files at the hub.
  const run = await runReport(source, call);
  if (!run.converts) {
    throw info;
  }
  return { run };
}

/** Whether the name at the hub stands for several files with weights. */
function isChoice(source: ModelSource, error: unknown): error is AmbryError {
  return isHubName(source) && error instanceof AmbryError && error.code === 'BadValue';
}

function noFile(file: string, option: string): UsageError {
  return new UsageError(
    `${file} has no table of tensors. ${option} needs a file that has.`,
    option,
  );
}

async function copyOf(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  try {
    return await new Response(stream).blob();
  } catch (error) {
    throw isAbort(error) ? error : unreadable('-', error);
  }
}
