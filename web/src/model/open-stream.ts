// A stream is given to one worker only. So the caller looks at its first bytes.
import type { WireSource } from '../sources/base/wire.ts';
import { spooled } from '../sources/wire-stream.ts';
import type { RunKind } from './kind.ts';
import { type Opening, openingOf } from './opening.ts';
import type { OpenOptions } from './types.ts';

/** How the stream opens. A stream whose first bytes do not tell it becomes a file that can be read more than once. */
export async function openingOfStream(
  wire: WireSource & { readonly kind: 'stream' },
  wanted: RunKind | undefined,
  options: OpenOptions,
): Promise<{ wire: WireSource; opening?: Opening }> {
  const opening = openingOf(wire.head, wanted);
  if (opening) {
    return { wire, opening };
  }
  // No unknown file becomes an encoder, and networks for pictures need no conversion.
  if (wanted === 'encoder' || wanted === 'imageClassifier') {
    return { wire };
  }
  const { stream, head: _, ...how } = wire;
  return { wire: { ...how, ...(await spooled(stream, options)) } };
}
