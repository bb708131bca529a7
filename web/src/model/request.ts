// What a worker needs of the options.
import type { WireSource } from '../sources/base/wire.ts';
import { type ModelKind, runKind } from './kind.ts';
import type { OpenRequest } from './protocol.ts';
import type { OpenOptions } from './types.ts';

export function requestOf(
  source: WireSource,
  kind: ModelKind | undefined,
  { mode, weights, kv, context, resident, device }: OpenOptions,
): OpenRequest {
  return { source, kind: runKind(kind), mode, weights, kv, context, resident, device };
}
