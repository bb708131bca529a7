// Opens a source that has to be converted. Pages fetch this file with the first one.
import { AmbryError, fromWire, type WireError } from '../base/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { ModelDirectory } from '../sources/base/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import type { RunKind } from './kind.ts';
import { headBytes, type Opening, openingOf } from './opening.ts';
import type { Conversion, Converted, ConvertedSource, Opened, OpenRequest } from './protocol.ts';
import { requestOf } from './request.ts';
import { sameWorker } from './same-worker.ts';
import type { OpenOptions } from './types.ts';

/** Converts the source and opens the result. `refusal` is what to say of a source that cannot be converted. */
export async function openConverted<T>(
  open: (
    platform: Platform,
    request: OpenRequest,
    opens: Opening,
    converted: Converted,
  ) => Promise<Opened<T>>,
  convert: Conversion,
  platform: Platform,
  options: OpenOptions,
  source: WireSource | ModelDirectory,
  kind: RunKind | undefined,
  refusal?: WireError,
): Promise<T> {
  const same = sameWorker(platform);
  const run = convert(same.platform, source, kind, options);
  const converted = await run.catch(async (error: unknown) => {
    await same.end();
    throw refusal && saysLess(error) ? fromWire(refusal) : error;
  });
  same.goOn();
  const { wire, release } = converted;
  // The file is read again as long as the model is open.
  const staysOpen = options.mode === 'range' || options.resident !== undefined;
  try {
    const { plan } = converted;
    const request = { ...requestOf(wire, converted.kind, options), plan };
    const made = { ...converted, ...(staysOpen && { onClose: release }) };
    const opened = await open(same.platform, request, await openingOfTarget(converted), made);
    if ('model' in opened) {
      if (!staysOpen) {
        await release();
      }
      return opened.model;
    }
    throw opened.refusal ? fromWire(opened.refusal) : new Error('a converted file does not open');
  } catch (error) {
    await same.end();
    await release();
    throw error;
  }
}

/** A file in memory says which code runs it. Node has one worker for all. */
async function openingOfTarget({ wire, kind }: ConvertedSource): Promise<Opening> {
  if (wire.kind !== 'blob') {
    return { kind, converts: false };
  }
  const head = await wire.blob.slice(0, headBytes).arrayBuffer();
  return openingOf(new Uint8Array(head), kind) ?? { kind, converts: false };
}

/** Whether the error tells less than the worker that refused the file. The worker of conversions knows every format and names
 *  a file of another kind. */
function saysLess(error: unknown): boolean {
  return isUnknown(error) && !(error instanceof AmbryError && error.code === 'BadMagic');
}

/** Whether there is no conversion for such a file. */
export function isUnknown(error: unknown): boolean {
  if (!(error instanceof AmbryError)) {
    return false;
  }
  return error.code === 'BadMagic' || error.path === 'options.to';
}
