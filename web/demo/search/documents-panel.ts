// Which documents are searched, and the ways to add some.

import { button, byId, element, onFilesChosen } from '../shared/dom.ts';
import { pickedFiles } from '../shared/dropped-files.ts';
import { formatAmount, formatCount } from '../shared/format.ts';
import type { Store } from '../shared/store.ts';
import type { Session } from './session.ts';
import { countPassages, type DocumentSource, type SearchState } from './state.ts';

function sourceItem(
  source: DocumentSource,
  remove: (source: DocumentSource) => void,
): HTMLLIElement {
  const away = button('Remove', 'quiet', () => remove(source));
  away.setAttribute('aria-label', `Remove ${source.name}`);
  const count = element('span', 'count', formatCount(source.passages.length));
  count.title = formatAmount(source.passages.length, 'passage');
  return element('li', '', element('span', 'name', source.name), count, away);
}

function mountPaste(session: Session): void {
  const field = byId('paste-text', HTMLTextAreaElement);
  byId('paste-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const text = field.value;
    field.value = '';
    void session.addText(text);
  });
}

export function mountDocumentsPanel(store: Store<SearchState>, session: Session): void {
  const summary = byId('documents-summary', HTMLElement);
  const list = byId('document-sources', HTMLUListElement);
  const builtIn = byId('documents-built-in', HTMLButtonElement);

  for (const id of ['document-files', 'document-folder']) {
    onFilesChosen(byId(id, HTMLInputElement), (files) => void session.receive(pickedFiles(files)));
  }
  mountPaste(session);
  builtIn.addEventListener('click', () => void session.useBuiltInNotes());

  store.watch(['sources', 'builtInNotes'], ({ sources, builtInNotes }) => {
    summary.textContent =
      sources.length === 0 ? 'None yet' : formatAmount(countPassages(sources), 'passage');
    list.replaceChildren(
      ...sources.map((source) => sourceItem(source, (gone) => void session.removeSource(gone))),
    );
    builtIn.hidden = builtInNotes;
  });
}
