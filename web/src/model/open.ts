// Opening a model: which worker takes the source, and what comes back.

import { AmbryError, fromWire, type WireError } from '../base/errors.ts';
import { callback, type Kind, number, oneOf } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import type { Platform, WorkerName } from '../platform/platform.ts';
import type { Progress } from '../rpc/types.ts';
import { type Connection, connect, modelGraceMs } from '../runtime/connect.ts';
import { sourceJobNames } from '../runtime/option-names.ts';
import type { ModelDirectory, ModelParts, ModelSource } from '../sources/base/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import { isOnnxSource } from '../sources/onnx-source.ts';
import {
  fromHub,
  isDirectory,
  isSplit,
  orBase,
  transferOf,
  wireSource,
} from '../sources/wire-source.ts';
import { adapters } from './adapter-option.ts';
import { checkCount } from './check-count.ts';
import { isEmbedder } from './embedding.ts';
import { firstToAsk } from './first-to-ask.ts';
import { type ModelKind, type RunKind, runKind } from './kind.ts';
import { kindFor } from './kind-by-head.ts';
import type { EncoderCode, Opening } from './opening.ts';
import type {
  Conversion,
  Converted,
  ConvertedToRun,
  NotOpened,
  OpenCalls,
  Opened,
  OpenedModel,
  OpenRequest,
} from './protocol.ts';
import { requestOf } from './request.ts';
import {
  devices,
  encoderArchitectures,
  keyValueTypes,
  type OpenOptions,
  weightStorages,
} from './types.ts';

/** How models of one kind are opened on the caller's side. */
export interface Opener<T> {
  /** The smallest worker that can open the source. `code` is what its first bytes ask for, if they are known. */
  readonly worker: (
    wire: WireSource,
    options: OpenOptions,
    code: EncoderCode | undefined,
  ) => WorkerName;
  readonly load: Load<T>;
}

/** Loads the code for models of one kind, which makes them. */
export type Load<T> = () => Promise<
  (connection: Connection<never>, opened: OpenedModel, options: OpenOptions) => T | Promise<T>
>;

/** Makes models that their class alone makes. */
export function made<T>(Class: unknown): (connection: Connection<never>, opened: OpenedModel) => T {
  const OwnClass = Class as new (connection: Connection<never>, opened: never) => T;
  return (connection, opened) => new OwnClass(connection, opened as never);
}

/** Opens a source after its conversion. `refusal` is what to say of a source that cannot be converted. */
type Convert<T> = (
  source: WireSource | ModelDirectory,
  kind: RunKind | undefined,
  refusal?: WireError,
) => Promise<T>;

export interface Openers<T> {
  readonly kinds: { readonly [K in ModelKind]: Opener<T> };
  /** Loads the code that converts sources that do not run as they are. */
  readonly conversion: () => Promise<Conversion>;
  /** Loads the code that opens classifiers that were trained on examples. */
  readonly trained: () => Promise<OpenTrained<T>>;
}

/** Opens a classifier that was trained on examples, or says which encoder it needs. */
type OpenTrained<T> = (platform: Platform, wire: WireSource, options: OpenOptions) => Promise<T>;

const encoderOrOpener: Kind = {
  words: 'an opened encoder, or a function that opens it',
  is: (value) => typeof value === 'function' || isEmbedder(value),
};

const openOptionNames: OptionNames<OpenOptions> = {
  ...sourceJobNames,
  kind: true,
  architecture: oneOf(encoderArchitectures),
  weights: oneOf(weightStorages),
  mode: oneOf(['whole', 'range']),
  quantize: true,
  adapter: adapters,
  kv: oneOf(keyValueTypes),
  context: number,
  resident: number,
  device: oneOf(devices),
  threads: number,
  encoder: encoderOrOpener,
  onWarning: callback,
};

/** Opens a model of the kind that the options or the source say. Whoever has the first bytes looks what the source opens as:
 *  for a stream the caller, for all else the worker of encoders, so that encoders are open after one download. */
export async function openModel<T>(
  openers: Openers<T>,
  platform: Platform,
  source: ModelSource | ModelParts,
  given: OpenOptions,
): Promise<T> {
  await refuseUnknown(given, { ...openOptionNames, kind: oneOf(Object.keys(openers.kinds)) });
  const options = warnsOfNotes(given);
  const wanted = runKind(kindIn(options));
  if (options.encoder) {
    const wire = await wireSource(platform.locate, source, given);
    return (await openers.trained())(platform, wire, given);
  }
  // The caller's word for it counts once.
  const { architecture: _, ...others } = options;
  const convert: Convert<T> = async (...args) =>
    (await import('./open-converted.ts')).openConverted(
      (same, ...run) => openBy(openers, same, others, ...run),
      await openers.conversion(),
      platform,
      options,
      ...args,
    );
  const found = await fromHub(source, options, 'model');
  if (isDirectory(found) && !isSplit(found)) {
    return orBase(source, options, convert(found, wanted));
  }
  const located = await wireSource(platform.locate, found, options);
  const changes = options.quantize || options.adapter !== undefined;
  if (platform.isDirectory(located) || changes || (await isOnnxSource(located))) {
    return convert(located, wanted);
  }
  const { wire, opening } =
    located.kind === 'stream'
      ? await (await import('./open-stream.ts')).openingOfStream(located, wanted, options)
      : { wire: located, opening: undefined };
  let next: NotOpened = { opens: opening ?? { kind: firstToAsk(wanted, wire), converts: false } };
  let asked = opening ? opening.kind : wanted;
  let refusal: WireError | undefined;
  for (const how of [options, others]) {
    const { opens, isGuess } = next;
    if (opens.converts) {
      break;
    }
    const request = requestOf(wire, isGuess ? undefined : asked, how);
    const opened = await openBy(openers, platform, how, request, opens);
    if ('model' in opened) {
      return opened.model;
    }
    next = opened;
    asked = opened.opens.kind;
    // What the first worker says of a file that nothing opens is about its own bytes, and not about a guess.
    refusal ??= opened.refusal;
    // A stream cannot be given to a second worker.
    if (refusal && wire.kind === 'stream') {
      throw fromWire(refusal);
    }
  }
  const { kind, converts, needsEncoder } = next.opens;
  if (needsEncoder) {
    return (await openers.trained())(platform, wire, options);
  }
  if (!converts) {
    throw new AmbryError('BadMagic', `The file holds no model of kind ${kind}.`);
  }
  return convert(wire, kind, refusal);
}

/** Who keeps files is also warned when a file is not kept, and not only told with the progress. */
function warnsOfNotes(options: OpenOptions): OpenOptions {
  const { cache, onProgress, onWarning } = options;
  const keeps = cache === true || (typeof cache === 'object' && cache?.keep !== false);
  if (!keeps || typeof onWarning !== 'function') {
    return options;
  }
  let last: string | undefined;
  const report = (progress: Progress) => {
    const { note } = progress;
    if (note !== undefined && note !== last) {
      onWarning({ code: 'Unsupported', message: note, path: 'options.cache' });
    }
    last = note ?? last;
    onProgress?.(progress);
  };
  return { ...options, onProgress: report };
}

/** Options that are for one kind alone. */
const kindOfOption = {
  mode: 'words',
  resident: 'generator',
  device: 'generator',
  threads: 'generator',
  encoder: 'textClassifier',
} as const;

/** The kind that the options name, or that they are only for. */
function kindIn(options: OpenOptions): ModelKind | undefined {
  const { kind, mode, threads } = options;
  if (threads !== undefined) {
    checkCount(threads, 'threads', 'options.threads');
  }
  const option =
    mode === 'range'
      ? 'mode'
      : (['resident', 'device', 'threads', 'encoder'] as const).find(
          (name) => options[name] !== undefined,
        );
  if (!option) {
    return kind;
  }
  const only = kindOfOption[option];
  if (kind === undefined || kind === only) {
    return only;
  }
  throw new AmbryError('BadValue', `This option is for models of kind ${only}, not ${kind}.`, {
    path: `options.${option}`,
  });
}

async function openBy<T>(
  openers: Openers<T>,
  platform: Platform,
  options: OpenOptions,
  request: OpenRequest,
  { kind = 'encoder', code }: Opening,
  converted?: Converted,
): Promise<Opened<T>> {
  const { source } = request;
  const worker = openers.kinds[kind].worker(source, options, code);
  const connection = connect<OpenCalls>(platform, options, worker, modelGraceMs);
  const wanted = kindIn(options);
  // The code of the kind comes while the model does. A failure is thrown when the code is needed.
  if (wanted) {
    openers.kinds[wanted].load().catch(() => undefined);
  }
  try {
    const call = { ...options, transfer: transferOf(source) };
    const opened = await connection.channel.call('open', request, call);
    if (!('opens' in opened)) {
      const make = await openers.kinds[kindFor(opened, wanted)].load();
      if (converted?.onClose) {
        connection.further.add({ close: converted.onClose });
      }
      const facts = told(opened, converted);
      return { model: await make(connection as unknown as Connection<never>, facts, options) };
    }
    await connection.channel.close();
    return opened;
  } catch (error) {
    await connection.channel.close();
    throw error;
  }
}

/** Says of what the file was made. */
function told(opened: OpenedModel, converted: ConvertedToRun | undefined): OpenedModel {
  if (!converted) {
    return opened;
  }
  const { from: format, to: convertedTo, warnings, plan } = converted;
  return { ...opened, info: { ...opened.info, format, convertedTo, warnings }, plan };
}
