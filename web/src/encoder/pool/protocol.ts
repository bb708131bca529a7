// The calls by which several workers embed with one encoder.
import type { LentModule } from '../../runtime/types.ts';

/** What another worker needs to embed with this worker's encoder. */
export interface LentEncoder extends LentModule {
  /** The encoder's handle in that memory. */
  readonly model: number;
}

export type PoolCalls = {
  lendEncoder: { in: null; out: LentEncoder };
  /** The first call of a worker that embeds beside another. */
  borrowEncoder: { in: LentEncoder; out: null };
  /** Frees the stack of a worker that shared the memory and has ended. */
  freeStack: { in: number; out: null };
};
