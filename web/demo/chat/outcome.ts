// How a run of the model went, in words.

import { formatAmount, formatRoughly } from '../shared/format.ts';
import type { LoadedModel, Outcome } from './state.ts';

const kWhy: Readonly<Record<Outcome['stop'], string>> = {
  eos: 'The model ended it',
  stop: 'A stop text ended it',
  length: 'It is as long as was asked for',
  context: 'The context is full',
  left: 'Stopped',
};

export function lineOf({ stop, tokens, tokensPerSecond }: Outcome): string {
  const rate = tokensPerSecond > 0 ? `, ${formatRoughly(tokensPerSecond)} tokens/s` : '';
  return `${kWhy[stop]}: ${formatAmount(tokens, 'token')}${rate}.`;
}

/** Whether the model can go on where it stopped: not after its own end, nor in the midst of a stop text. */
export function canGoOn({ stop, ids }: Outcome, { generator }: LoadedModel): boolean {
  const isOpen = stop === 'length' || stop === 'left';
  return isOpen && ids.length > 0 && ids.length < generator.context;
}
