// The fields that say how the next token is drawn.

import { byId } from '../shared/dom.ts';
import type { Store } from '../shared/store.ts';
import type { ChatSession } from './session.ts';
import { stopsOf } from './settings.ts';
import type { ChatState } from './state.ts';

const kNumbers = [
  'temperature',
  'topP',
  'topK',
  'minP',
  'repetitionPenalty',
  'maxTokens',
  'seed',
] as const;

export function mountSamplingView(store: Store<ChatState>, session: ChatSession): void {
  const form = byId('sampling', HTMLFormElement);
  const fields = kNumbers.map((name) => ({ name, field: byId(name, HTMLInputElement) }));
  const newSeed = byId('newSeed', HTMLInputElement);
  const stops = byId('stops', HTMLTextAreaElement);

  form.addEventListener('submit', (event) => event.preventDefault());
  for (const { name, field } of fields) {
    field.addEventListener('change', () => {
      if (field.reportValidity()) {
        session.sample({ [name]: field.valueAsNumber });
      } else {
        field.value = String(store.state.sampling[name]);
      }
    });
  }
  newSeed.addEventListener('change', () => session.sample({ newSeed: newSeed.checked }));
  stops.addEventListener('change', () => session.sample({ stop: stopsOf(stops.value) }));
  store.watch(['sampling'], ({ sampling }) => {
    for (const { name, field } of fields) {
      field.value = String(sampling[name]);
    }
    newSeed.checked = sampling.newSeed;
  });
}
