// The calls that convert. A worker serves one conversion.
import { AmbryError } from '../base/errors.ts';
import type { Output, WireOutput } from '../output/types.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import { blobSource } from '../sources/base/blob.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import { memorySource } from '../sources/base/memory.ts';
import { spool } from '../sources/base/stream.ts';
import type { NamedSource } from '../sources/base/wire.ts';
import { isTokenizerSetting, type SideFile } from '../sources/directory/model-files.ts';
import type { ConvertModule } from '../wasm/module.mjs';
import { isOfAdapter, neededWeights, unreadWarning } from './needed-weights.ts';
import type { ConvertCalls } from './protocol.ts';
import {
  blobOutput,
  type Calibrator,
  conversionTargets,
  convert,
  type Inputs,
  judge,
  judgeQuantization,
} from './worker-convert-job.ts';
import { reportOf } from './worker-run-report.ts';
import { type RunTarget, runTarget } from './worker-run-target.ts';

/** Writes to a path. Only Node can. */
export type OutputTo = (output: WireOutput) => Promise<Output>;

/** Workers that run models pass a calibrator. */
export function convertHandlers<M extends ConvertModule>(
  runtime: WorkerRuntime<M>,
  outputTo?: OutputTo,
  calibrator?: Calibrator,
): Handlers<ConvertCalls> {
  return {
    convert: (given, context) =>
      withSources(
        runtime,
        { ...given, head: given.settings.head },
        context,
        async (module, inputs) => {
          const { settings, output } = given;
          const target =
            output === undefined ? blobOutput() : await requireFileOutput(outputTo)(output);
          return convert(module, inputs, settings, target, context, {
            calibrator,
            saysGrowth: true,
          });
        },
        (module, inputs) => judge(module, inputs, given.settings),
      ),

    convertToRun: (given, context) => {
      let target: RunTarget | undefined;
      let isJudged = false;
      const { head, adapters } = given;
      const quantize = given.quantize && { type: given.quantize };
      const choose = async (module: M, inputs: Inputs) => {
        target ??= await runTarget(module, inputs, given.kind);
        return target;
      };
      const judgeTarget = async (module: M, inputs: Inputs) => {
        const { to } = await choose(module, inputs);
        await judge(module, inputs, { to, toRun: true, head, adapters });
        if (quantize) {
          await judgeQuantization(module, inputs, { to, toRun: true, head, adapters, quantize });
        }
        isJudged = true;
      };
      return withSources(
        runtime,
        given,
        context,
        async (module, inputs) => {
          const { kind, to } = await choose(module, inputs);
          // A conversion that changes nothing says the same when it begins.
          if (quantize && !isJudged) {
            await judgeTarget(module, inputs);
          }
          const output = given.output
            ? await requireFileOutput(outputTo)(given.output)
            : blobOutput();
          const settings = { to, toRun: true, head, adapters, quantize };
          const made = await convert(module, inputs, settings, output, context);
          const { blob, from, warnings, report } = made;
          return { blob, kind, from, to, warnings, plan: report?.plan };
        },
        judgeTarget,
      );
    },

    runAfterConversion: (given, context) => {
      const look = (module: M, inputs: Inputs) => reportOf(module, inputs, given.kind);
      return withSources(runtime, given, context, look, undefined, false);
    },

    checkVectors: (given, context) =>
      withSources(runtime, given, context, async (module, inputs) => {
        const settings = { to: 'finalfusion', toRun: true };
        const { from, warnings } = await convert(module, inputs, settings, noOutput, context);
        return { from, warnings };
      }),

    tokenizerFile: (given, context) =>
      withSources(runtime, given, context, async (module, inputs) => {
        const { to } = await runTarget(module, inputs, undefined);
        const settings = { to, lowercase: given.lowercase, tokenizerOnly: true };
        const { blob, warnings } = await convert(module, inputs, settings, blobOutput(), context);
        return { blob: blob as Blob, warnings, settings: settingsAmong(inputs.files) };
      }),

    conversionTargets: (given, context) =>
      withSources(runtime, { ...given, head: given.settings.head }, context, (module, inputs) =>
        conversionTargets(module, inputs, given.settings),
      ),
  };
}

/** Keeps nothing. */
const noOutput: Output = {
  write: async () => {},
  finish: async () => null,
  discard: async () => {},
};

function settingsAmong(files: Inputs['files']): NamedSource[] {
  return [...files]
    .filter(([name]) => isTokenizerSetting(name))
    .map(([name, bytes]) => ({ name, source: { kind: 'bytes', bytes: new Uint8Array(bytes) } }));
}

/** Runs `use` with all files opened. With `judgeFirst`, all bytes of the weights are cached or local then, and
 *  `judgeFirst` has seen the small files and the heads of weights that would be downloaded. `whole` says whether the
 *  job reads all of the weights. */
async function withSources<M extends ConvertModule, T>(
  runtime: WorkerRuntime<M>,
  {
    weights,
    files,
    unread = [],
    head,
  }: Pick<ConvertCalls['convertToRun']['in'], 'weights' | 'files' | 'unread' | 'head'>,
  context: CallContext,
  use: (module: M, inputs: Inputs) => Promise<T>,
  judgeFirst?: (module: M, inputs: Inputs) => Promise<void>,
  whole = true,
): Promise<T> {
  const sideFiles = new Map<string, Uint8Array>();
  for (const [name, file] of Object.entries(files)) {
    const read = async (_: unknown, part: ByteSource) => part.read(0, await part.measure());
    sideFiles.set(name, await runtime.withSource(file, context, read));
  }
  const needed = neededWeights(weights, sideFiles, head);
  const warnings = unreadWarning(unread, weights, needed);
  const withNext = async (held: Inputs['weights']): Promise<T> => {
    const next = needed[held.length];
    if (next) {
      const hold = (_: M, source: ByteSource) => withNext([...held, { name: next.name, source }]);
      return runtime.withSource(next.source, context, hold, whole);
    }
    const module = await runtime.wasm();
    const inputs = { weights: held, files: sideFiles, warnings };
    if (!judgeFirst) {
      return use(module, inputs);
    }
    const far = held.filter(({ source }) => !isNear(source));
    const stating: readonly SideFile[] = ['config.json', 'modules.json'];
    const isDirectory = stating.some((name) => sideFiles.has(name));
    const hasAdapter = needed.some(({ name }) => isOfAdapter(name));
    if (
      (isDirectory || hasAdapter) &&
      far.length > 0 &&
      far.every(({ source }) => source.seekable)
    ) {
      await judgeFirst(module, inputs);
    }
    return use(module, { ...inputs, weights: await allNear(held, context) });
  };
  return withNext([]);
}

function isNear({ seekable, phase }: ByteSource): boolean {
  return seekable && phase === 'load';
}

/** Streaming takes one request for a file. Reading parts on demand would take many. */
async function allNear(
  weights: Inputs['weights'],
  context: CallContext,
): Promise<Inputs['weights']> {
  const near: Inputs['weights'][number][] = [];
  for (const { name, source } of weights) {
    near.push({ name, source: await localOf(source, context, weights.length) });
  }
  return near;
}

/** Files that have this many bytes together are read whole, since hundreds of small reads take longer than their
 *  conversion. */
const mostHeld = 64 << 20;

async function localOf(
  source: ByteSource,
  context: CallContext,
  nFiles: number,
): Promise<ByteSource> {
  if (!isNear(source)) {
    return spooled(source, context);
  }
  const size = await source.measure();
  if (source.ends || size > mostHeld / nFiles) {
    return source;
  }
  return memorySource(await source.read(0, size));
}

function requireFileOutput(outputTo: OutputTo | undefined): OutputTo {
  if (outputTo) {
    return outputTo;
  }
  throw new AmbryError('Unsupported', 'A browser cannot write to a path; take the blob.');
}

async function spooled(source: ByteSource, { signal, report }: CallContext): Promise<ByteSource> {
  const total = await source.measure();
  const chunks = source.stream(0, total) as AsyncIterable<Uint8Array<ArrayBuffer>>;
  const { phase } = source;
  const blob = await spool(chunks, (loaded) => {
    report({ phase, loaded, total, cached: source.cached ?? false });
  });
  return blobSource(blob, signal, phase);
}
