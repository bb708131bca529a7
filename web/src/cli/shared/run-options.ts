// How the commands that run a model of texts run it.
import type { OpenOptions } from '../../types.ts';
import { oneOf } from './command.ts';

export const kRunOptions = {
  weights: { type: 'string' },
  deterministic: { type: 'boolean' },
} as const;

export interface RunValues {
  readonly weights?: string | undefined;
  readonly deterministic?: boolean | undefined;
}

export function runOptions({ weights, deterministic = false }: RunValues): OpenOptions {
  const storage = oneOf(weights, '--weights', ['as-stored', 'int8', 'f32']);
  return { ...(storage && { weights: storage }), deterministic };
}
