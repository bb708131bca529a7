// The panel with the model of a text that is in use, and the controls to open another.

import { formatBytes, formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, onFilesChosen } from '../../shared/dom/dom.ts';
import { mountAddressForm } from '../../shared/files/address-form.ts';
import { pickedFiles } from '../../shared/files/given-files.ts';
import type { Receive } from '../../shared/page/mount-page.ts';
import type { ClassifyState } from '../state/state.ts';
import { labelNames } from './label-names.ts';
import { kindsOf } from './marks.ts';
import type { RunsTextSource } from './open-model.ts';
import type { TextSession } from './text-session.ts';

const mostNamed = 12;

function labelLine(labels: readonly string[]): string {
  return labels.length > mostNamed
    ? `${formatCount(labels.length)} labels`
    : `${formatCount(labels.length)} labels: ${labels.join(', ')}`;
}

export function lineOf({ model, builtIn }: RunsTextSource): string {
  const labels =
    model.kind === 'tokenClassifier'
      ? kindsOf(model.labels)
      : model.labels.map(labelNames(model.labels));
  const parts = [
    labelLine(labels),
    formatBytes(model.info.bytes),
    ...(builtIn ? ['built in'] : []),
  ];
  return parts.join(', ');
}

/** `openUrl` opens what is typed as an address. */
export function mountModelPanel(
  store: Store<ClassifyState>,
  session: TextSession,
  receive: Receive,
  openUrl: (address: string) => void,
): void {
  const panel = byId('text-model', HTMLElement);
  const name = byId('text-model-name', HTMLElement);
  const line = byId('text-model-line', HTMLElement);
  const builtIn = byId('text-built-in', HTMLButtonElement);

  for (const id of ['text-files', 'text-folder']) {
    onFilesChosen(byId(id, HTMLInputElement), (files) => void receive(pickedFiles(files)));
  }
  mountAddressForm('url-form', 'url', openUrl);
  builtIn.addEventListener('click', () => {
    const { task } = store.state;
    if (task === 'text' || task === 'names') {
      void session.openBuiltIn(task);
    }
  });
  store.watch(['task', 'text', 'names', 'job'], ({ task, text, names, job }) => {
    panel.hidden = task !== 'text' && task !== 'names';
    const loaded: RunsTextSource | null = task === 'names' ? names.loaded : text.loaded;
    name.textContent = loaded?.name ?? (job === null ? 'None' : 'Loading…');
    line.textContent = loaded === null ? '' : lineOf(loaded);
    builtIn.hidden = loaded === null ? job !== null : loaded.builtIn;
  });
}
