// Shows the progress and the end of a run, and the buttons for it.

import { formatAmount, formatRoughly } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import { canDropTurns } from '../run/failures.ts';
import type { PageSession } from '../session/session.ts';
import type { ChatState, LoadedModel, Outcome } from '../state/state.ts';

const stopReasons: Readonly<Record<Outcome['stoppedBy'], string>> = {
  eos: 'The model ended the text',
  stop: 'A stop text was reached',
  length: 'The token limit was reached',
  context: 'The context is full',
  format: 'The answer has its whole form',
  left: 'Stopped',
};

export function lineOf({ stoppedBy, tokens, tokensPerSecond }: Outcome): string {
  const rate = tokensPerSecond > 0 ? `, ${formatRoughly(tokensPerSecond)} tokens/s` : '';
  return `${stopReasons[stoppedBy]}: ${formatAmount(tokens, 'token')}${rate}.`;
}

/** Whether the model can continue the text. It cannot after its own end or a stop text. */
export function canContinue({ stoppedBy, ids }: Outcome, { generator }: LoadedModel): boolean {
  const isOpen = stoppedBy === 'length' || stoppedBy === 'left';
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

/** A form is kept to from the first token on, so an answer with one cannot be continued. */
function showsContinue({ stop, outcome, loaded, form, turns }: ChatState): boolean {
  return (
    stop === null &&
    outcome !== null &&
    loaded !== null &&
    turns.at(-1)?.from === 'model' &&
    form.kind === 'free' &&
    canContinue(outcome, loaded)
  );
}

/** Whether the oldest turns would be left out for another answer: the package keeps room for the answer, up to half of
 *  the context. An answer of a short conversation is too long by itself. */
function showsDrop(state: ChatState): boolean {
  const { stop, outcome, loaded, sampling } = state;
  if (
    stop !== null ||
    outcome?.stoppedBy !== 'context' ||
    loaded === null ||
    !canDropTurns(state)
  ) {
    return false;
  }
  const { context } = loaded.generator;
  const room = Math.min(sampling.maxTokens, Math.floor(context / 2));
  return outcome.ids.length - outcome.tokens + room > context;
}

export function mountOutcomeView(store: Store<ChatState>, session: PageSession): void {
  const line = byId('outcome', HTMLElement);
  const stopButton = byId('stop', HTMLButtonElement);
  const continueButton = byId('continue', HTMLButtonElement);
  const dropButton = byId('drop-oldest', HTMLButtonElement);
  const clear = byId('clear', HTMLButtonElement);

  stopButton.addEventListener('click', () => store.state.stop?.());
  continueButton.addEventListener('click', () => void session.continueText());
  dropButton.addEventListener('click', () => void session.dropOldest());
  clear.addEventListener('click', () => session.clear());
  store.watch(['stop', 'outcome', 'turns', 'loaded', 'form', 'trim', 'mode'], (state) => {
    const { stop, turns, mode } = state;
    line.textContent = progressOf(state);
    stopButton.hidden = stop === null;
    clear.hidden = turns.length === 0 || stop !== null;
    clear.textContent = mode === 'text' ? 'Clear' : 'New conversation';
    continueButton.hidden = !showsContinue(state);
    dropButton.hidden = !showsDrop(state);
  });
}
