// What opened models have in common.
import type { FileInfo } from './file-info.ts';
import type { ModelKind } from './kind.ts';

/** What all kinds of opened models say of themselves. */
export interface ModelFacts {
  readonly kind: ModelKind;
  /** What the file says: format, metadata, config, tokenizer, tensors. */
  readonly info: FileInfo;
  /** Bytes of memory that the weights take. */
  readonly weightBytes: number;
  /** The build of the core that runs: `baseline` or `relaxed` SIMD. */
  readonly flavour: string;
}
