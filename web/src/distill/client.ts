// Distillation on the caller's side. Pages fetch this file with the first one.

import { callback, findWrong, isSomeObject, type Kind, object, text } from '../base/kinds.ts';
import { type OptionNames, refuse, refuseUnknown } from '../base/options.ts';
import { withOutput } from '../convert/convert.ts';
import { convertToRun } from '../convert/convert-to-run.ts';
import type { WireOutput } from '../output/types.ts';
import type { Platform } from '../platform/platform.ts';
import { withWorker } from '../runtime/connect.ts';
import { sourceJobNames } from '../runtime/option-names.ts';
import type { ModelDirectory, ModelSource } from '../sources/base/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import { fromHub, isDirectory, transferOf, wireSource } from '../sources/wire-source.ts';
import { spooled } from '../sources/wire-stream.ts';
import type { DistillCalls } from './protocol.ts';
import type { DistillOptions, DistillToFileOptions } from './types.ts';

type Input = DistillCalls['distill']['in'];
type Output = DistillCalls['distill']['out'];

const corpus: Kind = {
  words: 'a list of texts, or what gives them one by one',
  is: (value) => isSomeObject(value) && (Symbol.iterator in value || Symbol.asyncIterator in value),
};
const metadataNames: OptionNames<NonNullable<DistillOptions['metadata']>> = {
  model_name: text,
  created_at: text,
};
const distillOptionNames: OptionNames<DistillToFileOptions> = {
  ...sourceJobNames,
  dim: true,
  sif: true,
  dtype: true,
  vocabSize: true,
  corpus,
  metadata: { ...object, options: metadataNames },
  onWarning: callback,
  output: text,
};

export async function distill(
  platform: Platform,
  given: ModelSource | ModelDirectory,
  options: DistillOptions & { readonly output?: string },
): Promise<Blob | null> {
  await refuseUnknown(options, distillOptionNames);
  const found = await fromHub(given, options, 'model');
  const texts: string[] = [];
  for await (const one of options.corpus ?? []) {
    const wrong = findWrong(one, text, `options.corpus[${texts.length}]`);
    await (wrong && refuse(wrong));
    texts.push(one);
  }
  const file = isDirectory(found) ? undefined : await readableTwice(platform, found, options);
  return withOutput(platform, options.output, async (output) => {
    const run = (wire: WireSource) =>
      runDistill(
        platform,
        { source: wire, settings: settingsOf(options), corpus: texts, output },
        options,
      );
    if (file && !platform.isDirectory(file)) {
      const done = await run(file);
      if ('blob' in done) {
        return done.blob;
      }
    }
    const source = file ?? (found as ModelDirectory);
    const { wire, release } = await convertToRun(platform, source, 'encoder', options);
    try {
      const done = await run(wire);
      return 'blob' in done ? done.blob : null;
    } finally {
      await release();
    }
  });
}

/** Distills in the build that computes the same on every machine, so that equal input gives equal bytes. */
function runDistill(
  platform: Platform,
  input: Input & { readonly output: WireOutput | undefined },
  options: DistillOptions,
): Promise<Output> {
  const runtime = { ...options, deterministic: true };
  return withWorker<DistillCalls, Output>(platform, runtime, 'all', (channel) =>
    channel.call('distill', input, { ...options, transfer: transferOf(input.source) }),
  );
}

/** A source that has to be converted is read again. */
async function readableTwice(
  platform: Platform,
  source: ModelSource,
  options: DistillOptions,
): Promise<WireSource> {
  const wire = await wireSource(platform.locate, source, options);
  if (wire.kind !== 'stream') {
    return wire;
  }
  const { stream, head: _, ...how } = wire;
  return { ...how, ...(await spooled(stream, options)) };
}

function settingsOf({ dim, sif, dtype, vocabSize, metadata }: DistillOptions): Input['settings'] {
  return {
    ...(dim !== undefined && { dim }),
    ...(sif !== undefined && { sif }),
    ...(dtype !== undefined && { dtype }),
    ...(vocabSize !== undefined && { vocabSize }),
    ...(metadata?.model_name !== undefined && { modelName: metadata.model_name }),
    ...(metadata?.created_at !== undefined && { createdAt: metadata.created_at }),
  };
}
