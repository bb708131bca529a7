// The calls by which several workers embed with one encoder.
import type { Embedded, EmbedInput } from '../../model/embedding.ts';
import type { HeapShare } from '../../runtime/types.ts';

/** The memory of a worker's encoder. Only a worker that runs the same module can take it. */
export interface HeapCopy {
  readonly heap: Uint8Array<ArrayBuffer>;
  /** The encoder's handle there. */
  readonly session: number;
}

/** A job whose batches workers run side by side. */
export interface OpenLanes {
  /** Held by the worker that allocates. */
  readonly handle: number;
  readonly texts: number;
  readonly batches: number;
  /** Two integers in the memory: the batch that is next, and the texts that are done. */
  readonly counts: number;
  /** The job, the functions that run a batch and set a stack, and where the lanes' stacks lie. */
  readonly job: number;
  readonly run: number;
  readonly useStack: number;
  readonly stacks: number;
  readonly stackBytes: number;
}

export interface LaneWork extends OpenLanes {
  readonly lane: number;
}

export type PoolCalls = {
  /** What another worker takes to embed as this one does. */
  copyHeap: { in: null; out: HeapCopy };
  adoptHeap: { in: HeapCopy; out: null };
  /** Null where memory cannot be shared; then the worker runs all batches itself. */
  shareHeap: { in: null; out: HeapShare | null };
  joinHeap: { in: HeapShare; out: null };
  openLanes: { in: EmbedInput & { lanes: number }; out: OpenLanes };
  runLane: { in: LaneWork; out: null };
  /** All that was embedded, unless it is not wanted any more. */
  closeLanes: { in: { handle: number; wanted: boolean }; out: Embedded | null };
};
