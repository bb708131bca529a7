// How the run goes and went, what can be done with it, and how full the context is.

import { byId } from '../shared/dom.ts';
import { formatAmount, formatCount, formatRoughly } from '../shared/format.ts';
import type { Store } from '../shared/store.ts';
import type { ChatSession } from './session.ts';
import type { ChatState, LoadedModel, Outcome } from './state.ts';

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

function progressOf({ stop, outcome, parts }: ChatState): string {
  if (stop === null) {
    return outcome === null ? '' : lineOf(outcome);
  }
  const last = parts.at(-1);
  return last?.from === 'model'
    ? `Writing: ${formatAmount(last.tokens.length, 'token')}`
    : 'Reading the text…';
}

export function mountOutcomeView(store: Store<ChatState>, session: ChatSession): void {
  const line = byId('outcome', HTMLElement);
  const stopButton = byId('stop', HTMLButtonElement);
  const goOn = byId('go-on', HTMLButtonElement);
  const clear = byId('clear', HTMLButtonElement);
  const meter = byId('context', HTMLMeterElement);
  const contextLine = byId('context-line', HTMLElement);

  stopButton.addEventListener('click', () => store.state.stop?.());
  goOn.addEventListener('click', () => void session.goOn());
  clear.addEventListener('click', () => session.clear());
  store.watch(['stop', 'outcome', 'parts', 'loaded'], (state) => {
    const { stop, outcome, parts, loaded } = state;
    line.textContent = progressOf(state);
    stopButton.hidden = stop === null;
    clear.hidden = parts.length === 0 || stop !== null;
    goOn.hidden = stop !== null || outcome === null || loaded === null || !canGoOn(outcome, loaded);
  });
  store.watch(['used', 'parts', 'stop', 'loaded'], ({ used, parts, stop, loaded }) => {
    const written = stop === null ? 0 : (parts.at(-1)?.tokens.length ?? 0);
    const whole = loaded?.generator.context ?? 1;
    meter.max = whole;
    meter.value = used + written;
    contextLine.textContent =
      loaded === null
        ? ''
        : `${formatCount(used + written)} of ${formatAmount(whole, 'token')} of context`;
  });
}
