// Opening a model: which worker takes the source, and what comes back.
import { AmbryError, errorFrom } from '../errors.ts';
import { type Connection, connect, modelGraceMs } from '../runtime/connect.ts';
import type { Platform, WorkerName } from '../runtime/platform.ts';
import type { ModelSource } from '../sources/types.ts';
import type { WireSource } from '../sources/wire.ts';
import { fromHub, isDirectory, transferOf, wireSource } from '../sources/wire-source.ts';
import { kindOf, type ModelKind } from './kind.ts';
import type { OpenCalls, OpenedModel, OpenRequest, OtherKind } from './protocol.ts';
import type { OpenOptions } from './types.ts';

/** How models of one kind are opened on the caller's side. */
export interface Opener<T> {
  /** The smallest worker that can open the source. */
  readonly worker: (wire: WireSource) => WorkerName;
  /** Loads the code for this kind. */
  readonly load: () => Promise<(connection: Connection<never>, opened: OpenedModel) => T>;
}

export type Openers<T> = { readonly [K in ModelKind]: Opener<T> };

/** Opens a model of the kind that the options or the source say. Without either, the encoder's worker looks at the file
 *  and says which kind it is, so that encoders are open after one download. */
export async function openModel<T>(
  openers: Openers<T>,
  platform: Platform,
  source: ModelSource,
  options: OpenOptions,
): Promise<T> {
  const given = await fromHub(source, options, 'model');
  if (isDirectory(given)) {
    const message = 'The model has several files. Convert it to one first.';
    throw new AmbryError('Unsupported', message, { path: 'source' });
  }
  const wire = await wireSource(platform.locate, given, options);
  const kind = kindIn(options) ?? (wire.kind === 'stream' ? kindOf(wire.head) : undefined);
  const { mode, weights, kv, context, resident } = options;
  const request = { source: wire, kind, mode, weights, kv, context, resident };
  const opened = await openBy(openers, platform, request, kind ?? 'encoder', options);
  if ('model' in opened) return opened.model;
  const { otherKind, refusal } = opened;
  // A stream cannot be given to a second worker.
  if (refusal && wire.kind === 'stream') throw errorFrom(refusal);
  const again = { ...request, kind: otherKind };
  const other = await openBy(openers, platform, again, otherKind, options).catch((error) => {
    throw refusal && (error as AmbryError).code === 'BadMagic' ? errorFrom(refusal) : error;
  });
  if ('model' in other) return other.model;
  throw new AmbryError('BadMagic', `The file holds no model of kind ${otherKind}.`);
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

type Opened<T> = { readonly model: T } | OtherKind;

async function openBy<T>(
  openers: Openers<T>,
  platform: Platform,
  request: OpenRequest,
  kind: ModelKind,
  options: OpenOptions,
): Promise<Opened<T>> {
  const { source } = request;
  const worker = openers[kind].worker(source);
  const connection = connect<OpenCalls>(platform, options, worker, modelGraceMs);
  try {
    const call = { ...options, transfer: transferOf(source) };
    const opened = await connection.channel.call('open', request, call);
    if (!('otherKind' in opened)) {
      const make = await openers[opened.kind].load();
      return { model: make(connection as unknown as Connection<never>, opened) };
    }
    await connection.channel.close();
    return opened;
  } catch (error) {
    await connection.channel.close();
    throw error;
  }
}
