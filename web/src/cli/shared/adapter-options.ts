// The options that merge LoRA adapters into a model.
import { adapterDefaults } from '../../entries/tables.ts';
import type { OpenOptions } from '../../entries/types.ts';
import type { CommandOptions } from './command.ts';
import { UsageError } from './failure.ts';
import { directorySource, isPath } from './input.ts';
import { numberInRange } from './option-values.ts';

export const adapterOptions = {
  adapter: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'A LoRA adapter to merge into the weights: a GGUF file, a directory of PEFT, a URL or a name at the hub. May be repeated. Default: none.',
  },
  'adapter-weight': {
    type: 'string',
    multiple: true,
    value: 'X',
    help: `The factor of what an adapter adds. With several adapters, one for each, in their order. Default: ${adapterDefaults.weight}.`,
  },
} as const satisfies CommandOptions;

export interface AdapterValues {
  readonly adapter?: readonly string[] | undefined;
  readonly 'adapter-weight'?: readonly string[] | undefined;
}

/** A greater weight is a mistake. */
const most = 1000;

/** The adapters as options of `open` and `convert`. */
export async function parseAdapters({
  adapter = [],
  'adapter-weight': weights = [],
}: AdapterValues): Promise<Pick<OpenOptions, 'adapter'>> {
  if (weights.length > 0 && weights.length !== adapter.length) {
    const message = `--adapter-weight is given ${weights.length} times, and --adapter ${adapter.length} times. Give a weight for each adapter.`;
    throw new UsageError(message, '--adapter-weight');
  }
  if (adapter.length === 0) {
    return {};
  }
  const sources = await Promise.all(adapter.map(directorySource));
  return {
    adapter: sources.map((source, i) => {
      const weight = numberInRange(weights[i], '--adapter-weight', -most, most);
      return { source, ...(weight !== undefined && { weight }) };
    }),
  };
}

/** The adapters on this machine, which a target must not replace. */
export function adapterPaths({ adapter = [] }: AdapterValues): string[] {
  return adapter.filter(isPath);
}
