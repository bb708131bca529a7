// The list of saved conversations: open one, begin a new one, rename and delete.

import { button, byId, element } from '../../shared/dom.ts';
import { formatAmount } from '../../shared/format.ts';
import type { Store } from '../../shared/store.ts';
import type { PageSession } from '../session.ts';
import type { ChatState, ConversationTitle } from '../state.ts';
import type { History } from './history.ts';
import { renameForm } from './rename-form.ts';

const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function itemOf(conversation: ConversationTitle, isOpen: boolean, history: History): HTMLLIElement {
  const { id, title, changedAt } = conversation;
  const open = button(title, 'quiet conversation-title', () => void history.open(id));
  open.title = `${title}\n${dateFormat.format(changedAt)}`;
  if (isOpen) {
    open.setAttribute('aria-current', 'true');
  }
  const rename = button('Rename', 'quiet', () => {
    const form = renameForm(title, {
      rename: (changed) => void history.rename(id, changed),
      cancel: () => form.replaceWith(row),
    });
    row.replaceWith(form);
    form.querySelector('input')?.select();
  });
  rename.setAttribute('aria-label', `Rename “${title}”`);
  const remove = button('Delete', 'quiet', () => {
    if (confirm(`Delete “${title}”?`)) {
      void history.delete([id]);
    }
  });
  remove.setAttribute('aria-label', `Delete “${title}”`);
  const row = element('div', 'conversation', open, rename, remove);
  return element('li', isOpen ? 'open' : '', row);
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

  byId('new-conversation', HTMLButtonElement).addEventListener('click', () => {
    session.newConversation();
    byId('draft', HTMLTextAreaElement).focus();
  });
  deleteAll.addEventListener('click', () => {
    const ids = store.state.conversations.map(({ id }) => id);
    if (confirm(`Delete ${formatAmount(ids.length, 'conversation')}?`)) {
      void history.delete(ids);
    }
  });
  store.watch(['conversations', 'conversation', 'mode'], (state) => {
    const { conversations, conversation, mode } = state;
    const current = mode === 'chat' ? conversation : null;
    list.replaceChildren(...conversations.map((one) => itemOf(one, one.id === current, history)));
    empty.hidden = conversations.length > 0;
    deleteAll.hidden = conversations.length === 0;
    panel.hidden = mode === 'text' && conversations.length === 0;
  });
  store.watch(['historyProblem'], ({ historyProblem }) => {
    problem.textContent = historyProblem;
  });
}
