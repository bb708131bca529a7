// The panel with the list of documents and the controls to add more.

import { formatAmount, formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { button, byId, element, onFilesChosen } from '../../shared/dom/dom.ts';
import { ListFold } from '../../shared/dom/list-fold.ts';
import { pickedFiles } from '../../shared/files/given-files.ts';
import { replaceKeepingFocus } from '../../shared/focus/list-focus.ts';
import type { Session } from '../session/session.ts';
import { notesId } from '../state/built-in.ts';
import { countPassages, type DocumentSource, type SearchState } from '../state/state.ts';

/** `84`, or `1,024 of 60,000` while some are not indexed yet. */
function countOf({ passages, waiting = [] }: DocumentSource): string {
  const done = formatCount(passages.length);
  return waiting.length === 0
    ? done
    : `${done} of ${formatCount(passages.length + waiting.length)}`;
}

interface Item {
  readonly row: HTMLLIElement;
  readonly count: HTMLSpanElement;
}

function newItem({ id, name }: DocumentSource, remove: (id: string) => void): Item {
  const removeButton = button('Remove', 'quiet', () => remove(id));
  removeButton.setAttribute('aria-label', `Remove ${name}`);
  const count = element('span', 'count');
  return { row: element('li', '', element('span', 'name', name), count, removeButton), count };
}

/** A document keeps its row while its count changes, so the row keeps the focus. */
function mountList(list: HTMLUListElement, remove: (id: string) => void) {
  const input = byId('document-files', HTMLInputElement);
  let sources: readonly DocumentSource[] = [];
  let items = new Map<string, Item>();
  const show = (): void => {
    const next = new Map<string, Item>();
    for (const source of fold.take(sources)) {
      const item = items.get(source.id) ?? newItem(source, remove);
      item.count.textContent = countOf(source);
      item.count.title = formatAmount(source.passages.length, 'passage');
      next.set(source.id, item);
    }
    const same = next.size === items.size && [...next.keys()].every((id) => items.has(id));
    items = next;
    if (!same) {
      const rows = [...next.values()].map(({ row }) => row);
      replaceKeepingFocus(list, rows, input);
    }
  };
  const fold = new ListFold(list, { first: 8, noun: 'documents', render: show });
  return (given: readonly DocumentSource[]): void => {
    sources = given;
    show();
  };
}

function mountPaste(session: Session): void {
  const field = byId('paste-text', HTMLTextAreaElement);
  byId('paste-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const text = field.value;
    field.value = '';
    void session.run(({ documents }) => documents.addText(text));
  });
}

export function mountDocumentsPanel(store: Store<SearchState>, session: Session): void {
  const summary = byId('documents-summary', HTMLElement);
  const builtIn = byId('documents-built-in', HTMLButtonElement);
  const resumeIndexing = byId('documents-resume', HTMLButtonElement);
  const showList = mountList(
    byId('document-sources', HTMLUListElement),
    (id) => void session.run(({ documents }) => documents.remove(id)),
  );

  for (const id of ['document-files', 'document-folder']) {
    onFilesChosen(byId(id, HTMLInputElement), (files) =>
      session.run((actions) => actions.receive(pickedFiles(files))),
    );
  }
  mountPaste(session);
  builtIn.addEventListener('click', () =>
    session.run(({ documents }) => documents.useBuiltInNotes()),
  );
  resumeIndexing.addEventListener('click', () =>
    session.run((actions) => actions.resumeIndexing()),
  );

  const keepNotes = button('Keep the notes, too', '', () => {
    void session.run(({ documents }) => documents.keepNotes());
  });
  builtIn.before(keepNotes);
  store.watch(['sources', 'builtInNotes', 'job'], ({ sources, builtInNotes, job }) => {
    summary.textContent =
      sources.length === 0 ? 'None yet' : formatAmount(countPassages(sources), 'passage');
    showList(sources);
    builtIn.hidden = builtInNotes;
    keepNotes.hidden = builtInNotes || sources.some(({ id }) => id === notesId);
    resumeIndexing.hidden =
      job !== null || sources.every(({ waiting = [] }) => waiting.length === 0);
  });
}
