// The types of LoRA adapters that are merged into a model.
import type { ModelDirectory, ModelSource } from '../sources/base/types.ts';

/** Where a LoRA adapter comes from: a directory of PEFT (`adapter_config.json` and `adapter_model.safetensors`) or a GGUF file.
 *  Directories are given by their files, by an address that ends with a slash, by a name at the hub, or in Node by a path. */
export type AdapterSource = ModelSource | ModelDirectory;

export interface WeightedAdapter {
  readonly source: AdapterSource;
  /** The factor of what the adapter adds. The default is 1. */
  readonly weight?: number;
}

/** The defaults of what is absent. */
export const adapterDefaults = { weight: 1 } as const;

/** One adapter, or several. What they add is summed. */
export type Adapters =
  | AdapterSource
  | WeightedAdapter
  | readonly (AdapterSource | WeightedAdapter)[];
