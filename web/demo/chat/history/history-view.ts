// The list of saved conversations: open one, begin a new one, rename and delete.

import { formatAmount, formatBytes } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { button, byId, element } from '../../shared/dom/dom.ts';
import { ListFold } from '../../shared/dom/list-fold.ts';
import { replaceKeepingFocus } from '../../shared/focus/list-focus.ts';
import type { PageSession } from '../session/session.ts';
import type { ChatState, ConversationTitle } from '../state/state.ts';
import type { History } from './history.ts';
import { renameForm } from './rename-form.ts';

const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function nameButton(made: HTMLButtonElement, name: string): void {
  made.title = name;
  made.setAttribute('aria-label', name);
}

interface ItemActions {
  open(): void;
  rename(title: string): void;
  delete(): void;
  /** Shows the list again. */
  show(): void;
}

function itemOf(
  { id, title, changedAt }: ConversationTitle,
  isOpen: boolean,
  actions: ItemActions,
): HTMLLIElement {
  const open = button(title, 'quiet conversation-title', actions.open);
  open.title = `${title}\n${dateFormat.format(changedAt)}`;
  if (isOpen) {
    open.setAttribute('aria-current', 'true');
  }
  const rename = button('✎', 'quiet', () => {
    const form = renameForm(title, { rename: actions.rename, close: actions.show });
    row.replaceWith(form);
    form.querySelector('input')?.select();
  });
  nameButton(rename, `Rename “${title}”`);
  const remove = button('✕', 'quiet', actions.delete);
  nameButton(remove, `Delete “${title}”`);
  const row = element('div', 'conversation', open, rename, remove);
  const item = element('li', isOpen ? 'open' : '', row);
  item.dataset['id'] = id;
  return item;
}

export function mountHistoryView(
  store: Store<ChatState>,
  session: PageSession,
  history: History,
): void {
  const panel = byId('history', HTMLElement);
  const list = byId('conversations', HTMLUListElement);
  const empty = byId('no-conversations', HTMLElement);
  const problem = byId('history-problem', HTMLElement);
  const deleteAll = byId('delete-conversations', HTMLButtonElement);
  const fresh = byId('new-conversation', HTMLButtonElement);

  fresh.addEventListener('click', () => {
    // An answer that is being written is stopped, and kept as far as it came.
    history.save();
    session.newConversation();
    byId('draft', HTMLTextAreaElement).focus();
  });
  deleteAll.addEventListener('click', () => {
    const ids = store.state.conversations.map(({ id }) => id);
    if (confirm(`Delete ${formatAmount(ids.length, 'conversation')}?`)) {
      void history.delete(ids);
    }
  });
  const actionsFor = ({ id, title }: ConversationTitle): ItemActions => ({
    open: () => void history.open(id),
    rename: (changed) => void history.rename(id, changed),
    delete: () => {
      if (confirm(`Delete “${title}”?`)) {
        void history.delete([id]);
      }
    },
    show,
  });
  const show = (): void => {
    const { conversations, conversation, mode } = store.state;
    const current = mode === 'chat' ? conversation : null;
    const shown = fold.take(conversations, ({ id }) => id === current);
    const items = shown.map((one) => itemOf(one, one.id === current, actionsFor(one)));
    replaceKeepingFocus(list, items, fresh);
  };
  const fold = new ListFold(list, { first: 10, noun: 'conversations', render: show });
  store.watch(['conversations', 'conversation', 'mode'], ({ conversations, mode }) => {
    // A title that is being typed stays. The list is shown again after it.
    if (list.querySelector('form') === null) {
      show();
    }
    empty.hidden = conversations.length > 0;
    deleteAll.hidden = conversations.length === 0;
    const bytes = conversations.reduce((sum, one) => sum + (one.bytes || 0), 0);
    deleteAll.textContent = `Delete all (${formatBytes(bytes)})`;
    panel.hidden = mode === 'text' && conversations.length === 0;
  });
  store.watch(['historyProblem'], ({ historyProblem }) => {
    problem.textContent = historyProblem;
  });
}
