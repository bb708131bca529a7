// Opening a model: which worker takes the source, and what comes back.
import { AmbryError, errorFrom } from '../errors.ts';
import type { Problem } from '../problem.ts';
import { type Connection, connect, modelGraceMs } from '../runtime/connect.ts';
import type { Platform, WorkerName } from '../runtime/platform.ts';
import type { ModelDirectory, ModelParts, ModelSource } from '../sources/types.ts';
import type { WireSource } from '../sources/wire.ts';
import { fromHub, isDirectory, isSplit, transferOf, wireSource } from '../sources/wire-source.ts';
import { type ModelKind, openingOf } from './kind.ts';
import type { ConvertedToRun, NotOpened, OpenCalls, OpenedModel, OpenRequest } from './protocol.ts';
import type { OpenOptions } from './types.ts';

/** How models of one kind are opened on the caller's side. */
export interface Opener<T> {
  /** The smallest worker that can open the source. */
  readonly worker: (wire: WireSource) => WorkerName;
  /** Loads the code for this kind. */
  readonly load: () => Promise<(connection: Connection<never>, opened: OpenedModel) => T>;
}

/** A file that runs, made of a source that does not. */
export interface ConvertedSource extends ConvertedToRun {
  readonly wire: WireSource;
  /** Removes the file. */
  readonly release: () => Promise<void>;
}

export interface Openers<T> {
  readonly kinds: { readonly [K in ModelKind]: Opener<T> };
  /** Loads the code that converts sources that do not run as they are. */
  readonly conversion: () => Promise<
    (
      platform: Platform,
      source: WireSource | ModelDirectory,
      kind: ModelKind | undefined,
      options: OpenOptions,
    ) => Promise<ConvertedSource>
  >;
}

/** Opens a model of the kind that the options or the source say. Without either, the encoder's worker looks at the file
 *  and says which kind it is, so that encoders are open after one download. */
export async function openModel<T>(
  openers: Openers<T>,
  platform: Platform,
  source: ModelSource | ModelParts,
  options: OpenOptions,
): Promise<T> {
  const wanted = kindIn(options);
  const found = await fromHub(source, options, 'model');
  if (isDirectory(found) && !isSplit(found)) {
    return openConverted(openers, platform, found, wanted, options);
  }
  const given = await wireSource(platform.locate, found, options);
  if (platform.isDirectory(given)) return openConverted(openers, platform, given, wanted, options);
  const wire = await wholeIfUnknown(given, wanted, options);
  const opening = wire.kind === 'stream' ? openingOf(wire.head, wanted) : undefined;
  const kind = opening?.kind ?? wanted;
  if (opening?.converts) return openConverted(openers, platform, wire, kind, options);

  const request = requestOf(wire, kind, options);
  const first = await openBy(openers, platform, request, kind ?? 'encoder', options);
  if ('model' in first) return first.model;
  let { otherKind, converts, refusal } = first;
  // A stream cannot be given to a second worker.
  if (refusal && wire.kind === 'stream') throw errorFrom(refusal);
  if (otherKind && !converts) {
    const again = { ...request, kind: otherKind };
    const second = await openBy(openers, platform, again, otherKind, options);
    if ('model' in second) return second.model;
    converts = second.converts ?? false;
    // Here the first worker has guessed, and its error says what the file looks like.
    if (refusal) otherKind = undefined;
    refusal ??= second.refusal;
  }
  if (!converts) throw new AmbryError('BadMagic', `The file holds no model of kind ${otherKind}.`);
  return openConverted(openers, platform, wire, otherKind, options, refusal);
}

/** A stream whose first bytes do not tell what it is, as a file that can be read more than once. */
async function wholeIfUnknown(
  wire: WireSource,
  wanted: ModelKind | undefined,
  options: OpenOptions,
): Promise<WireSource> {
  if (wire.kind !== 'stream' || openingOf(wire.head, wanted)) return wire;
  // No unknown file becomes an encoder, and networks for pictures need no conversion.
  if (wanted === 'encoder' || wanted === 'classifier') return wire;
  const { stream, head: _, ...how } = wire;
  const { spooled } = await import('../sources/wire-stream.ts');
  return { ...how, ...(await spooled(stream, options)) };
}

function requestOf(
  source: WireSource,
  kind: ModelKind | undefined,
  { mode, weights, kv, context, resident }: OpenOptions,
): OpenRequest {
  return { source, kind, mode, weights, kv, context, resident };
}

/** The kind that the options name, or that they are only for. */
function kindIn({ kind, mode, resident }: OpenOptions): ModelKind | undefined {
  const only = mode === 'range' ? 'words' : resident !== undefined ? 'generator' : undefined;
  if (kind && only && kind !== only) {
    const path = mode === 'range' ? 'options.mode' : 'options.resident';
    throw new AmbryError('BadValue', `This option is for models of kind ${only}, not ${kind}.`, {
      path,
    });
  }
  return kind ?? only;
}

/** Converts the source and opens the result. `refusal` is what to say of a source that cannot be converted. */
async function openConverted<T>(
  openers: Openers<T>,
  platform: Platform,
  source: WireSource | ModelDirectory,
  kind: ModelKind | undefined,
  options: OpenOptions,
  refusal?: Problem,
): Promise<T> {
  const convert = await openers.conversion();
  const converted = await convert(platform, source, kind, options).catch((error: unknown) => {
    throw refusal && isUnknown(error) ? errorFrom(refusal) : error;
  });
  const { wire, release } = converted;
  // The file is read again as long as the model is open.
  const staysOpen = options.mode === 'range' || options.resident !== undefined;
  try {
    const request = requestOf(wire, converted.kind, options);
    const opened = await openBy(openers, platform, request, converted.kind, options, {
      ...converted,
      ...(staysOpen && { onClose: release }),
    });
    if ('model' in opened) {
      if (!staysOpen) await release();
      return opened.model;
    }
    throw opened.refusal ? errorFrom(opened.refusal) : new Error('a converted file does not open');
  } catch (error) {
    await release();
    throw error;
  }
}

/** Whether there is no conversion for such a file. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof AmbryError)) return false;
  return error.code === 'BadMagic' || error.path === 'options.to';
}

type Opened<T> = { readonly model: T } | NotOpened;

async function openBy<T>(
  openers: Openers<T>,
  platform: Platform,
  request: OpenRequest,
  kind: ModelKind,
  options: OpenOptions,
  converted?: ConvertedToRun & { readonly onClose?: () => Promise<void> },
): Promise<Opened<T>> {
  const { source } = request;
  const worker = openers.kinds[kind].worker(source);
  const connection = connect<OpenCalls>(platform, options, worker, modelGraceMs);
  try {
    const call = { ...options, transfer: transferOf(source) };
    const opened = await connection.channel.call('open', request, call);
    if (!('otherKind' in opened)) {
      const make = await openers.kinds[opened.kind].load();
      if (converted?.onClose) connection.further.add({ close: converted.onClose });
      return { model: make(connection as unknown as Connection<never>, told(opened, converted)) };
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
  if (!converted) return opened;
  const { from: format, to: convertedTo, warnings } = converted;
  return { ...opened, info: { ...opened.info, format, convertedTo, warnings } };
}
