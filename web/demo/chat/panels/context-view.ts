// Shows how full the context is and of what, and what happens when it is full.

import { formatAmount, formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import type { PageSession } from '../session/session.ts';
import type { ChatState, ContextUse } from '../state/state.ts';

const parts = ['system', 'history', 'draft'] as const satisfies readonly (keyof ContextUse)[];
const names: Readonly<Record<keyof ContextUse, string>> = {
  system: 'system prompt',
  history: 'conversation',
  draft: 'message',
};

/** With the tokens of the answer that is being written. */
function useNow({ used, stop, turns }: ChatState): ContextUse {
  const last = turns.at(-1);
  const written = stop !== null && last?.from === 'model' ? last.tokens.length : 0;
  return { ...used, history: used.history + written };
}

const sumOf = (use: ContextUse): number => parts.reduce((sum, part) => sum + use[part], 0);

export function contextLine(use: ContextUse, total: number, isChat: boolean): string {
  const line = `${formatCount(sumOf(use))} of ${formatAmount(total, 'token')} of context`;
  const shares = parts.filter((part) => use[part] > 0);
  return isChat && shares.length > 0
    ? `${line}: ${shares.map((part) => `${names[part]} ${formatCount(use[part])}`).join(', ')}`
    : line;
}

export function mountContextView(store: Store<ChatState>, session: PageSession): void {
  const meter = byId('context', HTMLMeterElement);
  const line = byId('context-line', HTMLElement);
  const trim = byId('trim', HTMLInputElement);
  const segments = parts.map((part) => byId(`gauge-${part}`, HTMLElement));

  trim.addEventListener('change', () => session.setTrim(trim.checked ? 'oldest' : 'error'));
  store.watch(['trim', 'mode'], (state) => {
    trim.checked = state.trim === 'oldest';
    (trim.parentElement as HTMLElement).hidden = state.mode === 'text';
  });
  store.watch(['used', 'turns', 'stop', 'loaded', 'mode'], (state) => {
    const use = useNow(state);
    const total = state.loaded?.generator.context ?? 1;
    meter.max = total;
    meter.value = sumOf(use);
    segments.forEach((segment, i) => {
      segment.style.setProperty('--share', String(use[parts[i] ?? 'draft'] / total));
    });
    line.textContent = state.loaded === null ? '' : contextLine(use, total, state.mode === 'chat');
  });
}
