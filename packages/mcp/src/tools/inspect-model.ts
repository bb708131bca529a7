import { AmbryError, type Inspection, inspect, type RunReport, runReport } from 'ambry';
import { z } from 'zod';
import type { FileReader, ReadableModel } from '../files/file-reader.ts';
import { exactObject } from '../options/check-options.ts';
import { Room, shortName } from '../results/shorten.ts';
import type { Waiting } from '../service/opened.ts';
import type { Service } from '../service/service.ts';
import { factsOf, runFacts, tensorList } from './model-facts.ts';
import { pathArgument } from './model-path.ts';
import { defineTool, type Tool } from './tool.ts';

/** The share of a result that the list of tensors may have. */
const shareOfList = 0.7;

export function inspectModel(files: FileReader, { settings }: Service): Tool {
  return defineTool({
    name: 'inspect_model',
    title: 'Inspect a model file',
    description:
      'Says what a model file is: its format and kind, whether and in how much memory it runs here, its metadata and its tokenizer. Reads headers only.',
    input: exactObject(
      {
        path: pathArgument(files.addresses),
        tensors: z
          .boolean()
          .default(false)
          .describe('Lists tensors with type, shape, offset and bytes.'),
        from: z
          .int()
          .min(0)
          .default(0)
          .describe('With tensors: the number of the first that is listed, from 0.'),
      },
      'argument',
    ),
    isOpen: files.addresses,
    run: async ({ path, tensors, from }, call) => {
      const found = await lookInto(await files.find(path), files, call);
      const forList = tensors ? Math.floor(settings.maxResult * shareOfList) : 0;
      const room = new Room(settings.maxResult - forList);
      const run = runFacts(found.run, room);
      if (!found.info) {
        if (tensors) {
          throw noTable();
        }
        return { path: shortName(path), ...run };
      }
      const list = tensors ? tensorList(found.info.tensors, from, new Room(forList)) : {};
      return { path: shortName(path), ...factsOf(found.info, room), ...run, ...list };
    },
  });
}

interface Found {
  readonly info?: Inspection;
  readonly run: RunReport;
}

/** What a file says of itself, if the model is one that does, and what it runs as. */
async function lookInto(
  { source, isDirectory }: ReadableModel,
  { fetching }: FileReader,
  { signal, onProgress }: Waiting,
): Promise<Found> {
  const call = { ...fetching, signal, onProgress };
  if (isDirectory) {
    const run = await runReport(source, call);
    refuseUnread(run);
    return { run };
  }
  const info = await inspect(source, call).catch((error: unknown) => {
    if (isOfContent(error)) {
      return error;
    }
    throw error;
  });
  if (!(info instanceof AmbryError)) {
    return { info, run: info.run.converts ? await runReport(source, call) : info.run };
  }
  // Word vectors in text, or several files at the hub, have no table.
  const run = await runReport(source, call);
  if (!run.converts) {
    throw info;
  }
  return { run };
}

/** A directory without a model. */
function refuseUnread({ obstacle, converts }: RunReport): void {
  if (obstacle && !converts) {
    throw new AmbryError(obstacle.code, obstacle.message, obstacle);
  }
}

/** Whether the error says what the file is, and not that it could not be had. */
function isOfContent(error: unknown): error is AmbryError {
  return error instanceof AmbryError && !['Http', 'Crashed', 'Cancelled'].includes(error.code);
}

function noTable(): AmbryError {
  const message = 'This model has no table of tensors. Leave out the argument tensors.';
  return new AmbryError('Unsupported', message, { path: 'tensors' });
}
