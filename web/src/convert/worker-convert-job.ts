// Runs a conversion: the core says which blocks to read and write, and this file reads and writes them.

import { AmbryError } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';
import type { ImageClassifierPlan } from '../image-classifier/types.ts';
import { headOf, openingOf } from '../model/opening.ts';
import { GatheredOutput } from '../output/gathered-output.ts';
import type { Output } from '../output/types.ts';
import type { Pixels } from '../platform/types.ts';
import type { CallContext } from '../rpc/serve.ts';
import { type EventLoop, withEventLoop } from '../runtime/worker-event-loop.ts';
import { toJson, unwrap, using, viewOf } from '../runtime/worker-heap.ts';
import { withAllParts } from '../runtime/worker-parts.ts';
import { blobSource } from '../sources/base/blob.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import { beginsAsOnnx } from '../sources/onnx-source.ts';
import type {
  Activations,
  Conversion,
  ConversionFiles,
  ConversionStep,
  ConvertModule,
  OutcomeText,
  PartialSource,
} from '../wasm/module.mjs';
import type { ConversionReport, ConversionTargets } from './convert-types.ts';
import type { ConversionSettings, QuantizeWire } from './protocol.ts';
import { growthWarning } from './worker-growth.ts';

export interface Converted {
  /** The target, or null when it was written to a file. */
  readonly blob: Blob | null;
  /** The source's format. */
  readonly from: string;
  readonly warnings: readonly Problem[];
  readonly report: ConversionReport | null;
}

/** Runs a model to measure what a quantization needs. */
export interface Calibrator {
  /** Returns the option `ranges` of a quantization. `plan` is JSON, or empty. */
  ranges(
    source: ByteSource,
    images: readonly (Float32Array | Pixels)[],
    plan: string,
    context: CallContext,
  ): Promise<unknown>;
  /** Returns the activation statistics over the texts of `quantize.calibration`, as `readActivations` takes them.
   *  `runnable` returns the model as a file that runs. */
  activations(
    quantize: QuantizeWire,
    runnable: () => Promise<ByteSource>,
    context: CallContext,
  ): Promise<Uint8Array>;
}

const notBegun = { phase: 'convert', loaded: 0, total: 0, cached: false } as const;

/** For workers that run no model. */
const noCalibrator: Calibrator = {
  ranges: () => Promise.reject(cannotCalibrate()),
  activations: () => Promise.reject(cannotCalibrate()),
};

/** Types whose blocks are fitted to weighed errors. */
const weighedTypes = /^(adaptive|q\d_k)$/;

function checkWeighed(type: string): void {
  if (!weighedTypes.test(type)) {
    const message = `Calibration weighs the blocks of adaptive and of q2_k to q6_k, and ${type} has none of these.`;
    throw new AmbryError('BadValue', message, { path: 'calibration' });
  }
}

function cannotCalibrate(): AmbryError {
  return new AmbryError('Unsupported', 'This worker runs no models, and calibration needs one.');
}

/** The input of a conversion: the weight files, the main one first, and the small files beside them. */
export interface Inputs {
  readonly weights: readonly { readonly name: string; readonly source: ByteSource }[];
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What to say of the other files. */
  readonly warnings: readonly Problem[];
}

interface ConvertExtras {
  readonly calibrator?: Calibrator | undefined;
  /** Warns if the target is much larger than the source. */
  readonly saysGrowth?: boolean;
}

export async function convert(
  module: ConvertModule,
  inputs: Inputs,
  settings: ConversionSettings,
  output: Output,
  context: CallContext,
  { calibrator = noCalibrator, saysGrowth = false }: ConvertExtras = {},
): Promise<Converted> {
  const sources = inputs.weights.map(({ source }) => source);
  try {
    const { quantize, ...options } = settings;
    const observed = await withRanges(calibrator, quantize, context, () =>
      networkIn(module, inputs, options, context),
    );
    const { calibration: _texts, ...how } = observed ?? {};
    const begin = (activations: Activations | 0) => (own: unknown) => {
      const text = toJson({ ...options, quantize: own });
      return withInputs(module, inputs, (files) =>
        module.beginConversion(files, text, activations),
      );
    };
    const run = async (activations: Activations | 0) => {
      const asked = quantize && (how as QuantizeWire);
      const conversion = await beginKeeping(module, asked, begin(activations));
      const made = await using(module, conversion, async () => {
        const growth = saysGrowth
          ? await growthWarning(module, conversion, sources, settings)
          : undefined;
        if (growth) {
          // The warnings come with the result, which may take long.
          context.report({ ...notBegun, note: growth.message });
        }
        const { warnings, ...rest } = await written(module, conversion, sources, output, context);
        return { ...rest, warnings: growth ? [growth, ...warnings] : warnings };
      });
      return { ...made, warnings: [...inputs.warnings, ...made.warnings] };
    };
    const runnable = async () => {
      // Invalid options are reported before any long work begins.
      await using(module, await begin(0)({ ...how, keep: undefined }), () => {});
      return runnableIn(module, inputs, options, context);
    };
    const { calibration } = observed ?? {};
    if (observed === undefined || calibration === undefined) {
      return await run(0);
    }
    checkWeighed(observed.type);
    const activations =
      calibration instanceof Uint8Array
        ? unwrap(module.readImportance(calibration))
        : unwrap(module.readActivations(await calibrator.activations(observed, runnable, context)));
    return await using(module, activations, () => run(activations));
  } catch (error) {
    await output.discard();
    throw error;
  }
}

async function written(
  module: ConvertModule,
  conversion: Conversion,
  sources: readonly ByteSource[],
  output: Output,
  context: CallContext,
): Promise<Converted> {
  const blob = await withEventLoop((eventLoop) =>
    pump(module, conversion, sources, output, context, eventLoop),
  );
  const { from, warnings } = unwrap(module.conversionFacts(conversion));
  const report = unwrap(module.conversionReport(conversion));
  return { blob, from, warnings: warnings as Problem[], report: report as ConversionReport | null };
}

/** The source itself if it can run. Otherwise the source converted to AMB without loss. */
async function runnableIn(
  module: ConvertModule,
  inputs: Inputs,
  options: Omit<ConversionSettings, 'quantize'>,
  context: CallContext,
): Promise<ByteSource> {
  const { signal, report } = context;
  const [first, ...others] = inputs.weights;
  if (first && others.length === 0) {
    const opening = openingOf(await headOf(first.source));
    if (opening?.kind === 'generator' && !opening.converts) {
      return first.source;
    }
  }
  const loading: CallContext = {
    ...context,
    report: (progress) => report({ ...progress, phase: 'load' }),
  };
  const made = await convert(module, inputs, { ...options, to: 'amb' }, blobOutput(), loading);
  return blobSource(made.blob as Blob, signal);
}

/** A network that runs, and the plan that it came with. */
interface Network {
  readonly source: ByteSource;
  readonly plan?: ImageClassifierPlan | undefined;
}

/** The source itself, or what an ONNX file becomes. */
async function networkIn(
  module: ConvertModule,
  inputs: Inputs,
  options: Omit<ConversionSettings, 'quantize'>,
  context: CallContext,
): Promise<Network> {
  const source = inputs.weights[0]?.source as ByteSource;
  if (!beginsAsOnnx(await headOf(source))) {
    return { source };
  }
  const settings = { ...options, to: 'tinyruntime' };
  const { blob, report } = await convert(module, inputs, settings, blobOutput(), context);
  return { source: blobSource(blob as Blob, context.signal), plan: report?.plan };
}

/** Replaces `images` by the measured ranges, which the core takes. */
async function withRanges(
  calibrator: Calibrator,
  quantize: QuantizeWire | undefined,
  context: CallContext,
  network: () => Promise<Network>,
): Promise<QuantizeWire | undefined> {
  const { images, plan, ...settings } = quantize ?? {};
  if (!images) {
    return quantize;
  }
  const { source, plan: own } = await network();
  const given = plan ?? own ?? '';
  const graph = typeof given === 'string' ? given : toJson(given);
  const ranges = await calibrator.ranges(source, images, graph, context);
  return { ...(settings as QuantizeWire), ...{ ranges } };
}

/** Replaces the pattern `keep` by the names of the tensors that match. They are known after the conversion has
 *  begun. */
async function beginKeeping(
  module: ConvertModule,
  quantize: QuantizeWire | undefined,
  begin: (quantize: unknown) => Promise<Conversion>,
): Promise<Conversion> {
  const { keep, ...settings } = quantize ?? {};
  if (!keep) {
    return begin(quantize);
  }
  const names = await using(module, await begin(settings), async (conversion) => {
    const report = unwrap(module.conversionReport(conversion)) as ConversionReport;
    return report.tensors.map((tensor) => tensor.name);
  });
  const kept = names.filter((name) => name.search(keep) >= 0);
  if (kept.length > 0) {
    return begin({ ...settings, keep: kept });
  }
  throw new AmbryError('NotFound', `No tensor’s name matches ${keep}.`, { path: 'keep' });
}

/** Begins a conversion, and ends it at once: a directory of an unsupported model is refused before its weights are
 *  downloaded. A quantization is judged as the conversion to its target. */
export async function judge(
  module: ConvertModule,
  inputs: Inputs,
  { quantize: _, ...settings }: ConversionSettings,
): Promise<void> {
  if (settings.to !== '') {
    await judgeQuantization(module, inputs, settings);
  }
}

/** Judges a quantization that measures nothing as `judge` does. */
export async function judgeQuantization(
  module: ConvertModule,
  inputs: Inputs,
  settings: ConversionSettings,
): Promise<void> {
  const text = toJson(settings);
  const begin = (files: ConversionFiles) => module.beginConversion(files, text, 0);
  await using(module, await withInputs(module, inputs, begin), () => {});
}

/** Tries to begin each conversion of this source. */
export async function conversionTargets(
  module: ConvertModule,
  inputs: Inputs,
  settings: Omit<ConversionSettings, 'to'>,
): Promise<ConversionTargets> {
  const text = toJson(settings);
  const look = (files: ConversionFiles) => module.conversionTargets(files, text);
  return (await withInputs(module, inputs, look)) as ConversionTargets;
}

/** Calls `attempt` with all files and reads missing parts until it needs no more. */
export function withInputs<T>(
  module: ConvertModule,
  { weights, files }: Inputs,
  attempt: (files: ConversionFiles) => OutcomeText<T>,
): Promise<T> {
  const sources = weights.map(({ source }) => source);
  return using(module, unwrap(module.createFiles()), (given) => {
    for (const [name, bytes] of files) {
      unwrap(module.addFile(given, name, bytes));
    }
    let isComplete = false;
    return withAllParts(module, sources, (parts) => {
      if (!isComplete) {
        weights.forEach(({ name }, i) => {
          unwrap(module.addWeights(given, name, parts[i] as PartialSource));
        });
        isComplete = true;
      }
      return attempt(given);
    });
  });
}

/** How often a conversion looks whether it was cancelled. */
const turnEveryMs = 8;

async function pump(
  module: ConvertModule,
  conversion: Conversion,
  sources: readonly ByteSource[],
  output: Output,
  { signal, report }: CallContext,
  eventLoop: EventLoop,
): Promise<Blob | null> {
  let { totalBytes, bytesToMeasure } = unwrap(module.conversionFacts(conversion));
  let measured = 0;
  let written = 0;
  const progress = () => {
    const loaded = measured + written;
    report({ phase: 'convert', loaded, total: bytesToMeasure + totalBytes, cached: false });
  };
  const target = new GatheredOutput(output);
  let turnedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    if (performance.now() - turnedAt > turnEveryMs) {
      await eventLoop.turn(signal);
      turnedAt = performance.now();
    }
    const step: ConversionStep = unwrap(module.nextStep(conversion));
    if (step.kind === 'done') {
      await target.flush();
      return output.finish();
    }
    if (step.kind === 'work') {
      report({ phase: 'train', loaded: step.offset, total: 1000, cached: false });
      continue;
    }
    if (step.kind === 'read') {
      const source = sources[step.file] as ByteSource;
      module.HEAPU8.set(await source.read(step.offset, step.block.size), step.block.address);
      if (measured >= bytesToMeasure) {
        continue;
      }
      measured += step.block.size;
      progress();
    } else {
      // The measurement may have changed it.
      if (written === 0) {
        ({ totalBytes } = unwrap(module.conversionFacts(conversion)));
      }
      await target.write(step.offset, viewOf(module, step.block));
      written += step.block.size;
      progress();
    }
  }
}

/** Collects the target in a blob, which browsers keep outside the page's memory. Bytes come in order. Bytes that come
 *  after the end of the file overwrite earlier ones. */
export function blobOutput(): Output {
  const pieces: Blob[] = [];
  const patches: { offset: number; bytes: Uint8Array<ArrayBuffer> }[] = [];
  let end = 0;
  return {
    write: (offset, bytes) => {
      if (offset === end) {
        pieces.push(new Blob([bytes]));
        end += bytes.length;
      } else {
        patches.push({ offset, bytes: bytes.slice() });
      }
      return Promise.resolve();
    },
    finish: () => {
      let target = new Blob(pieces);
      for (const { offset, bytes } of patches) {
        const behind = target.slice(offset + bytes.length);
        target = new Blob([target.slice(0, offset), bytes, behind]);
      }
      return Promise.resolve(target);
    },
    discard: () => Promise.resolve(),
  };
}
