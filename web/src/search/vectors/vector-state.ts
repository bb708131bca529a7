// The data of an index of own vectors. All parts of the index share it.
import type { Channel } from '../../rpc/channel.ts';
import type { VectorCalls, VectorFacts } from './protocol.ts';
import type { VectorId } from './types.ts';

/** The ids are here unless the worker reads them from a file. */
export interface VectorState {
  readonly channel: Channel<VectorCalls>;
  readonly facts: VectorFacts;
  readonly ids?: readonly VectorId[] | undefined;
  readonly isFile: boolean;
}
