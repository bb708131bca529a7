// Options that several commands share.
import { weightStorages } from '../../tables.ts';
import type { OpenOptions } from '../../types.ts';
import type { CommandOptions } from './command.ts';
import { oneOf } from './option-values.ts';

export const jsonOption = {
  json: { type: 'boolean', help: 'Print JSON.' },
} as const satisfies CommandOptions;

export const forceOption = {
  force: { type: 'boolean', help: 'Let DST be a file that is read. It is replaced.' },
} as const satisfies CommandOptions;

/** How the weights of a model are held and computed with. */
export const runOptions = {
  weights: {
    type: 'string',
    choices: weightStorages,
    help: `How weights are held in memory. Default: ${weightStorages[0]}.`,
  },
  deterministic: {
    type: 'boolean',
    help: 'Give bit-identical results on every machine. This is slower.',
  },
} as const satisfies CommandOptions;

export interface RunValues {
  readonly weights?: string | undefined;
  readonly deterministic?: boolean | undefined;
}

export function parseRunOptions({ weights, deterministic = false }: RunValues): OpenOptions {
  const storage = oneOf(weights, '--weights', weightStorages);
  return { ...(storage && { weights: storage }), deterministic };
}
