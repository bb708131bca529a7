// The list of checked files with their verdicts. It is shown once there are two files.

import { formatAmount } from '../shared/base/format.ts';
import type { Store } from '../shared/base/store.ts';
import { button, byId, element } from '../shared/dom/dom.ts';
import { ListFold } from '../shared/dom/list-fold.ts';
import { replaceKeepingFocus } from '../shared/focus/list-focus.ts';
import type { CheckSession } from './session/session.ts';
import { type CheckedFile, type CheckState, type Verdict, verdictOf } from './session/state.ts';

export const verdictLabels: Readonly<Record<Verdict, string>> = {
  waiting: 'Reading…',
  valid: 'Valid',
  partial: 'No error so far',
  warned: 'Valid, with warnings',
  invalid: 'Damaged',
  cutOff: 'Cut off',
  unknown: 'Not a known model file',
  unreadable: 'Cannot be read',
  runs: 'Runs after conversion',
  stopped: 'Does not run',
};

function summaryOf(file: CheckedFile): string {
  const errors = file.report?.errors.length ?? 0;
  const label = verdictLabels[verdictOf(file)];
  return verdictOf(file) === 'invalid' ? `${label}: ${formatAmount(errors, 'error')}` : label;
}

function itemFor(file: CheckedFile, selected: boolean, session: CheckSession): HTMLLIElement {
  const pick = button('', 'file-pick', () => session.select(file.id));
  const mark = element('span', 'dot');
  mark.dataset['verdict'] = verdictOf(file);
  pick.append(
    mark,
    element('span', 'file-name', file.name),
    element('span', 'file-verdict', summaryOf(file)),
  );
  if (selected) {
    pick.setAttribute('aria-current', 'true');
  }
  const remove = button('×', 'quiet', () => session.remove(file.id));
  remove.setAttribute('aria-label', `Remove ${file.name}`);
  const item = element('li', '', pick, remove);
  item.dataset['id'] = String(file.id);
  return item;
}

export function mountFileList(store: Store<CheckState>, session: CheckSession): void {
  const region = byId('file-list', HTMLElement);
  const list = byId('files-checked', HTMLUListElement);
  const input = byId('files', HTMLInputElement);
  const show = (): void => {
    const { files, selected } = store.state;
    const shown = fold.take(files, ({ id }) => id === selected);
    const items = shown.map((file) => itemFor(file, file.id === selected, session));
    replaceKeepingFocus(list, items, input);
  };
  const fold = new ListFold(list, { first: 10, noun: 'files', render: show });
  store.watch(['files', 'selected'], ({ files }) => {
    show();
    region.hidden = files.length < 2;
  });
}
