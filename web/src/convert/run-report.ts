// What a source runs as: by the file itself, or by the beginning of its conversion. Pages fetch this file when they ask.

import { AmbryError, errorFrom, isOfFile } from '../base/errors.ts';
import { refuseUnknown } from '../base/options.ts';
import { inspect } from '../inspect/client.ts';
import type { RunReport } from '../inspect/run-types.ts';
import { isTrainedClassifier } from '../model/classifier-mark.ts';
import { type RunKind, runKind } from '../model/kind.ts';
import { isUnknown } from '../model/open-converted.ts';
import type { Platform } from '../platform/platform.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import { withWorker } from '../runtime/connect.ts';
import { sourceJobNames } from '../runtime/option-names.ts';
import type {
  FetchOptions,
  ModelDirectory,
  ModelParts,
  ModelSource,
} from '../sources/base/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import { fromHub, isDirectory, isSplit, wireSource } from '../sources/wire-source.ts';
import {
  type ConversionParts,
  converterOf,
  partsOf,
  refuseByConfig,
  transferOfAll,
} from './conversion-parts.ts';
import type { ConvertCalls } from './protocol.ts';

type Options = JobOptions & RuntimeOptions & FetchOptions;

/** Only errors that are about no model, such as those of the network, are thrown. */
export async function runReport(
  platform: Platform,
  source: ModelSource | ModelParts,
  options: Options,
): Promise<RunReport> {
  await refuseUnknown(options, sourceJobNames);
  try {
    return await lookInto(platform, source, options);
  } catch (error) {
    if (isOfFile(error)) {
      return stopped(error);
    }
    throw error;
  }
}

/** A source with this error. */
function stopped(error: AmbryError): RunReport {
  const obstacle = error.toJSON();
  return { kind: null, format: null, converts: false, memory: null, obstacle, warnings: [] };
}

/** A classifier that was trained on examples opens with its encoder, which this does not have. */
function withoutEncoder(): AmbryError {
  const message =
    'The file is a classifier that was trained with an encoder. It opens with that encoder as the option encoder.';
  return new AmbryError('BadValue', message, { path: 'options.encoder' });
}

/** In the order in which `open` finds out what the source is. */
async function lookInto(
  platform: Platform,
  source: ModelSource | ModelParts,
  options: Options,
): Promise<RunReport> {
  const named = await fromHub(source, options, 'model');
  if (isDirectory(named) && !isSplit(named)) {
    return converted(platform, named, undefined, options);
  }
  const file = await readTwice(named, options);
  const wire = await wireSource(platform.locate, file, options);
  if (platform.isDirectory(wire)) {
    return converted(platform, wire, undefined, options);
  }
  const found = await inspect(platform, file, options).catch((error: unknown) => {
    if (error instanceof AmbryError && error.code === 'BadMagic') {
      return error;
    }
    throw error;
  });
  if (found instanceof AmbryError) {
    const report = await converted(platform, wire, undefined, options);
    const { obstacle } = report;
    return obstacle && isUnknown(errorFrom(obstacle)) ? stopped(found) : report;
  }
  if (isTrainedClassifier(found)) {
    return { ...stopped(withoutEncoder()), kind: 'textClassifier', format: found.format };
  }
  const { run } = found;
  return run.converts ? converted(platform, wire, runKind(run.kind ?? undefined), options) : run;
}

/** The inspection and the conversion both read the file. */
async function readTwice<S>(source: S, options: Options): Promise<S | Blob> {
  if (!(source instanceof ReadableStream)) {
    return source;
  }
  return (await (await import('../sources/wire-stream.ts')).spooled(source, options)).blob;
}

/** By the conversion to the format of this kind; without a kind, the source says it. */
async function converted(
  platform: Platform,
  source: WireSource | ModelDirectory,
  kind: RunKind | undefined,
  options: Options,
): Promise<RunReport> {
  return (await reportWithParts(platform, source, kind, options)).report;
}

/** What a source runs as after its conversion, and the files that it is made of. */
export async function reportWithParts(
  platform: Platform,
  source: WireSource | ModelDirectory,
  kind: RunKind | undefined,
  options: Options,
): Promise<{ readonly parts: ConversionParts; readonly report: RunReport }> {
  const look = async (parts: ConversionParts) =>
    withWorker<ConvertCalls, RunReport>(platform, options, await converterOf(parts), (channel) =>
      channel.call(
        'runAfterConversion',
        { ...parts, kind },
        { ...options, transfer: transferOfAll(parts) },
      ),
    );
  const refuse = async (parts: ConversionParts) => {
    const { obstacle } = await look(parts);
    if (obstacle) {
      throw errorFrom(obstacle);
    }
  };
  const parts = await partsOf(platform, source, options, (files) => refuseByConfig(files, refuse));
  return { parts, report: await look(parts) };
}
