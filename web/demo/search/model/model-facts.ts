// What the model panel says of a model.

import { formatBytes, formatCount } from '../../shared/base/format.ts';
import type { LoadedModel } from '../state/state.ts';

function numberOf(config: Readonly<Record<string, unknown>>, name: string): string {
  const value = config[name];
  return typeof value === 'number' ? formatCount(value) : 'not stated';
}

/** Terms and what they are. */
export function factsOf({ model, warnings = [] }: LoadedModel): (readonly [string, string])[] {
  const { info } = model;
  const config = info.config ?? {};
  return [
    ['Format', `${info.format.toUpperCase()} ${info.version}`],
    ['Dimensions', formatCount(model.dim)],
    ['Layers', config['architecture'] === 'static' ? 'none' : numberOf(config, 'numLayers')],
    ['Vocabulary', info.tokenizer === null ? 'none' : formatCount(info.tokenizer.size)],
    ['File', formatBytes(info.bytes)],
    ['Weights in memory', formatBytes(model.weightBytes)],
    ['WebAssembly', model.flavour === 'relaxed' ? 'relaxed SIMD' : 'SIMD'],
    ...warnings.map(
      ({ path, message }) => ['Left out or assumed', `${path ?? 'model'}: ${message}`] as const,
    ),
  ];
}
