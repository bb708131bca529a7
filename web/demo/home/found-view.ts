// Shows what was given: what it is, whether it is sound, in what memory it runs, and the pages that open it.

import type { Store } from '../shared/base/store.ts';
import { button, byId, element } from '../shared/dom/dom.ts';
import type { FilePage } from '../shared/recognize/file-pages.ts';
import type { Found, HomeState, Verdict } from './state.ts';

const marks: Readonly<Record<Verdict, string>> = {
  sound: '✓',
  warned: '!',
  damaged: '✕',
  cutOff: '✕',
  unreadable: '✕',
  other: '·',
};

const words: Readonly<Record<Verdict, string>> = {
  sound: 'Sound',
  warned: 'Sound, with a remark',
  damaged: 'Damaged',
  cutOff: '',
  unreadable: 'Not readable',
  other: '',
};

/** The verdicts of open-file.css. */
const looks: Readonly<Record<Verdict, string>> = {
  sound: 'valid',
  warned: 'warned',
  damaged: 'invalid',
  cutOff: 'cutOff',
  unreadable: 'unreadable',
  other: 'other',
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const exactFold = (exact: string): HTMLElement =>
  element('details', 'fold', element('summary', '', 'Details'), element('p', 'note', exact));

function cardFor(found: Found, open: (page: FilePage) => void): HTMLElement {
  const { verdict, what, details, lines, exact, pages } = found;
  const mark = element('p', 'verdict-mark', marks[verdict]);
  mark.setAttribute('aria-hidden', 'true');
  const facts = [words[verdict], capital(what), details].filter(Boolean).join('. ');
  const card = element(
    'li',
    'verdict found-card',
    mark,
    element(
      'div',
      '',
      element('h3', '', found.name),
      element('p', 'verdict-line', `${facts}.`),
      ...lines.map((line) => element('p', '', line)),
      ...(exact === undefined ? [] : [exactFold(exact)]),
    ),
    element(
      'div',
      'actions',
      ...pages.map(({ page, label }, at) =>
        button(label, at === 0 ? 'primary' : '', () => open(page)),
      ),
    ),
  );
  card.dataset['verdict'] = looks[verdict];
  return card;
}

export function mountFoundView(
  store: Store<HomeState>,
  open: (found: Found, page: FilePage) => void,
): void {
  const section = byId('found', HTMLElement);
  const list = byId('found-list', HTMLElement);
  store.watch(['found'], ({ found }) => {
    section.hidden = found.length === 0;
    list.replaceChildren(...found.map((one) => cardFor(one, (page) => open(one, page))));
    if (found.length > 0) {
      section.scrollIntoView({ block: 'nearest' });
    }
  });
}
