// The form with the sampling settings.

import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import type { PageSession } from '../session/session.ts';
import { stopsOf } from '../state/settings.ts';
import type { ChatState } from '../state/state.ts';

const numberFields = [
  'temperature',
  'topP',
  'topK',
  'minP',
  'repetitionPenalty',
  'maxTokens',
  'seed',
] as const;

export function mountSamplingView(store: Store<ChatState>, session: PageSession): void {
  const form = byId('sampling', HTMLFormElement);
  const fields = numberFields.map((name) => ({ name, field: byId(name, HTMLInputElement) }));
  const newSeed = byId('newSeed', HTMLInputElement);
  const stops = byId('stops', HTMLTextAreaElement);

  form.addEventListener('submit', (event) => event.preventDefault());
  for (const { name, field } of fields) {
    field.addEventListener('change', () => {
      if (field.reportValidity()) {
        session.setSampling({ [name]: field.valueAsNumber });
      } else {
        field.value = String(store.state.sampling[name]);
      }
    });
  }
  newSeed.addEventListener('change', () => session.setSampling({ newSeed: newSeed.checked }));
  stops.addEventListener('change', () => session.setSampling({ stop: stopsOf(stops.value) }));
  store.watch(['sampling'], ({ sampling }) => {
    for (const { name, field } of fields) {
      field.value = String(sampling[name]);
    }
    newSeed.checked = sampling.newSeed;
  });
}
