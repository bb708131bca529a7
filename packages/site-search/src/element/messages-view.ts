// What stands in the place of results, and the line below them.
import type { MeaningState, SiteAnswer } from '../client/base/types.ts';
import { make } from './dom.ts';
import { icon } from './icons.ts';
import type { Problem } from './problem.ts';
import type { Loading } from './session.ts';
import type { Phrases } from './strings.ts';

export interface Meaning {
  readonly state: MeaningState;
  readonly loading?: Loading | undefined;
}

/** A search without results, also one for signs that are no words; undefined if there are some. */
export function emptyMessage(
  answer: SiteAnswer,
  meaning: MeaningState,
  phrases: Phrases,
  ask: (query: string) => void,
): HTMLElement[] | undefined {
  const { state, query, didYouMean } = answer;
  if (state === 'found') {
    return undefined;
  }
  const shown = { query: query.trim() };
  const isClose = state === 'nothing-close';
  const title = isClose ? phrases.text('nothingClose', shown) : phrases.text('noWords', shown);
  const mayFollow = state === 'no-words' && meaning === 'loading';
  const hint = isClose ? 'nothingCloseHint' : mayFollow ? 'noWordsYet' : 'noWordsHint';
  const lines = message(icon('none'), title, phrases.text(hint));
  if (didYouMean !== undefined) {
    const text = phrases.text('didYouMean', { query: didYouMean.trim() });
    const offer = button(text, 'did-you-mean', () => ask(didYouMean));
    lines.push(make('div', { class: 'actions', part: 'actions', dir: 'auto' }, offer));
  }
  return lines;
}

export function problemMessage(
  { kind, reload, details }: Problem,
  phrases: Phrases,
  retry: () => void,
): HTMLElement[] {
  const again = button(phrases.text('retry'), 'retry', retry);
  const load = button(phrases.text('reload'), 'reload', () => location.reload());
  return [
    ...message(icon('problem'), phrases.text(kind), undefined),
    make('div', { class: 'actions', part: 'actions' }, ...(reload ? [load, again] : [again])),
    make(
      'details',
      { class: 'details', part: 'details' },
      make('summary', {}, phrases.text('details')),
      make('p', { dir: 'auto' }, details),
    ),
  ];
}

export function searchingMessage(phrases: Phrases): HTMLElement[] {
  return [make('p', { class: 'searching', part: 'searching' }, phrases.text('searching'))];
}

/** The line below the results: how many there are, and how they were found. */
export function statusLine(
  answer: SiteAnswer | undefined,
  { state, loading }: Meaning,
  phrases: Phrases,
  retry: () => void,
): (Node | string)[] {
  const line: (Node | string)[] = [];
  if (answer?.state === 'found' && answer.corrected !== undefined) {
    const text = phrases.text('corrected', { query: answer.corrected });
    line.push(make('span', { part: 'corrected', dir: 'auto' }, text), ' ');
  }
  if (answer?.state === 'found') {
    line.push(make('span', { part: 'count', dir: 'auto' }, phrases.count('pages', answer.total)));
  }
  if (state === 'loading') {
    line.push(
      make(
        'span',
        { class: 'loading', part: 'loading', dir: 'auto' },
        loadingText(loading, phrases),
      ),
    );
  } else if (state === 'failed') {
    const again = make('button', { type: 'button', class: 'link', part: 'retry-meaning' });
    again.append(phrases.text('retry'));
    again.addEventListener('click', retry);
    line.push(
      make(
        'span',
        { part: 'meaning-failed', dir: 'auto' },
        phrases.text('meaningFailed'),
        ' ',
        again,
      ),
    );
  } else if (answer?.state === 'found' && answer.by !== 'words') {
    line.push(make('span', { part: 'meaning-ready', dir: 'auto' }, phrases.text('meaningReady')));
  }
  return line;
}

export function keyHints(phrases: Phrases): HTMLElement[] {
  const hint = (keys: string, text: string) =>
    make('span', { dir: 'auto' }, make('kbd', { part: 'key' }, keys), ' ', text);
  return [
    hint('↑↓', phrases.text('keyMove')),
    hint('↵', phrases.text('keyOpen')),
    hint('Esc', phrases.text('keyClose')),
  ];
}

function loadingText(loading: Loading | undefined, phrases: Phrases): string {
  if (!loading || loading.total <= 0) {
    return phrases.text('meaningLoading');
  }
  const percent = phrases.percent(Math.min(1, loading.loaded / loading.total));
  return phrases.text('meaningProgress', { percent, size: phrases.size(loading.total) });
}

function message(picture: SVGElement, title: string, hint: string | undefined): HTMLElement[] {
  const head = make(
    'p',
    { class: 'message-title', part: 'message-title', dir: 'auto' },
    picture,
    title,
  );
  return hint === undefined
    ? [head]
    : [head, make('p', { class: 'hint', part: 'hint', dir: 'auto' }, hint)];
}

function button(text: string, part: string, onClick: () => void): HTMLButtonElement {
  const element = make('button', { type: 'button', class: 'button', part: `button ${part}` }, text);
  element.addEventListener('click', onClick);
  return element;
}
