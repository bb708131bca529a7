import type {
  ByteSink,
  Handle,
  HeapRange,
  HeldBytes,
  OutcomeText,
  PartialSource,
} from './types.mjs';

/** What every module has: files that arrive in parts or as streams, and the objects that JavaScript holds. */
export interface CoreBindings {
  /** `baseline` or `relaxed` */
  simdFlavour(): string;
  /** Frees the object; false when there is none. */
  release(handle: Handle): boolean;

  /** `size` is -1 while it is unknown. A file that `streamsBy` can be had only once and in order: what
   *  stands at its end is checked when it passes, and only `inspect` and `beginLoad` take it. */
  createSource(size: number, streamsBy: boolean): OutcomeText<PartialSource>;
  insert(source: PartialSource, offset: number, bytes: Uint8Array): OutcomeText<null>;
  /** The file ended here; its size had not been known. */
  endsAt(source: PartialSource, size: number): OutcomeText<null>;
  /** The source is several files, one after another; `ends` is JSON of where each ends. */
  joinParts(source: PartialSource, ends: string): OutcomeText<null>;
  sinkRange(sink: ByteSink): OutcomeText<{ start: number; wanted: number }>;
  /** Where bytes of an object are, until the next call with it. `HeldBytes` says which. */
  rangeOf(object: HeldBytes): OutcomeText<HeapRange>;
  commit(sink: ByteSink, n: number): OutcomeText<null>;
}

/** The type of a module, as far as all have it. */
export interface CoreModule extends CoreBindings {
  /** The heap. */
  HEAPU8: Uint8Array;
}
