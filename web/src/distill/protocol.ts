// The call of a worker that distills. A worker serves one distillation.
import type { WireOutput } from '../output/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import type { DistillSettings } from './types.ts';

export type DistillCalls = {
  /** The blob is null when the file was written to `output`. `converts` says that the source has to become EMBD first. */
  distill: {
    in: {
      source: WireSource;
      settings: DistillSettings & { readonly modelName?: string; readonly createdAt?: string };
      corpus: readonly string[];
      output?: WireOutput | undefined;
    };
    out: { blob: Blob | null } | { converts: true };
  };
};
