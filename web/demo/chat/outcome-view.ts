// Shows the progress and the end of a run, the buttons for it, and how full the context is.

import { byId } from '../shared/dom.ts';
import { formatAmount, formatCount, formatRoughly } from '../shared/format.ts';
import type { Store } from '../shared/store.ts';
import type { ChatSession } from './session.ts';
import type { ChatState, LoadedModel, Outcome } from './state.ts';

const stopReasons: Readonly<Record<Outcome['stop'], string>> = {
  eos: 'The model ended the text',
  stop: 'A stop text was reached',
  length: 'The token limit was reached',
  context: 'The context is full',
  format: 'The answer has its whole form',
  left: 'Stopped',
};

export function lineOf({ stop, tokens, tokensPerSecond }: Outcome): string {
  const rate = tokensPerSecond > 0 ? `, ${formatRoughly(tokensPerSecond)} tokens/s` : '';
  return `${stopReasons[stop]}: ${formatAmount(tokens, 'token')}${rate}.`;
}

/** Whether the model can continue the text. It cannot after its own end or a stop text. */
export function canContinue({ stop, ids }: Outcome, { generator }: LoadedModel): boolean {
  const isOpen = stop === 'length' || stop === 'left';
  return isOpen && ids.length > 0 && ids.length < generator.context;
}

function progressOf({ stop, outcome, turns }: ChatState): string {
  if (stop === null) {
    return outcome === null ? '' : lineOf(outcome);
  }
  const last = turns.at(-1);
  return last?.from === 'model'
    ? `Writing: ${formatAmount(last.tokens.length, 'token')}`
    : 'Reading the text…';
}

export function mountOutcomeView(store: Store<ChatState>, session: ChatSession): void {
  const line = byId('outcome', HTMLElement);
  const stopButton = byId('stop', HTMLButtonElement);
  const continueButton = byId('continue', HTMLButtonElement);
  const clear = byId('clear', HTMLButtonElement);
  const meter = byId('context', HTMLMeterElement);
  const contextLine = byId('context-line', HTMLElement);

  stopButton.addEventListener('click', () => store.state.stop?.());
  continueButton.addEventListener('click', () => void session.continueText());
  clear.addEventListener('click', () => session.clear());
  store.watch(['stop', 'outcome', 'turns', 'loaded'], (state) => {
    const { stop, outcome, turns, loaded } = state;
    line.textContent = progressOf(state);
    stopButton.hidden = stop === null;
    clear.hidden = turns.length === 0 || stop !== null;
    continueButton.hidden =
      stop !== null || outcome === null || loaded === null || !canContinue(outcome, loaded);
  });
  store.watch(['used', 'turns', 'stop', 'loaded'], ({ used, turns, stop, loaded }) => {
    const written = stop === null ? 0 : (turns.at(-1)?.tokens.length ?? 0);
    const total = loaded?.generator.context ?? 1;
    meter.max = total;
    meter.value = used + written;
    contextLine.textContent =
      loaded === null
        ? ''
        : `${formatCount(used + written)} of ${formatAmount(total, 'token')} of context`;
  });
}
