// The behaviour of the element: what the reader does, what is asked, and what is shown.
import type { MeaningState, SiteAnswer } from '../client/types.ts';
import { setAttribute, setText } from './dom.ts';
import type { ElementEvents } from './events.ts';
import { FiltersView } from './filters-view.ts';
import { hotkeyLabel, hotkeyName } from './hotkey.ts';
import { type KeyAction, keyAction } from './keys.ts';
import {
  emptyMessage,
  keyHints,
  problemMessage,
  searchingMessage,
  statusLine,
} from './messages-view.ts';
import { Panel } from './panel.ts';
import { type Problem, problemOf } from './problem.ts';
import { type Choice, showResults } from './results-view.ts';
import { type Loading, Session } from './session.ts';
import { mostPages, type Settings } from './settings.ts';
import { SearchUse } from './shared-search.ts';
import type { Phrases } from './strings.ts';
import { makeTemplate, type Template } from './template.ts';

export class SearchBox {
  readonly view: Template;
  readonly #events: ElementEvents;
  readonly #filtersView: FiltersView;
  readonly #panel: Panel;
  #session: Session | undefined;
  #settings!: Settings;
  #phrases!: Phrases;
  #k = 0;
  /** The values that are chosen, for each filter with some. */
  readonly #chosen = new Map<string, Set<string>>();
  #answer: SiteAnswer | undefined;
  #siteUrl = '';
  #problem: Problem | undefined;
  #meaning: { state: MeaningState; loading?: Loading | undefined } = { state: 'waiting' };
  #isBusy = false;
  #choices: readonly Choice[] = [];
  #active: number | undefined;
  /** What is chosen when it is there. */
  #chooseNext: number | undefined;

  constructor(events: ElementEvents) {
    this.#events = events;
    this.#filtersView = new FiltersView(
      (name, value) => this.#toggle(name, value),
      () => this.#clearFilters(),
    );
    this.view = makeTemplate(this.#filtersView.element);
    const { box, panel } = this.view;
    this.#panel = new Panel(panel, box, () => this.close());
    this.#listen();
  }

  get value(): string {
    return this.view.input.value;
  }

  set value(text: string) {
    this.view.input.value = text;
    this.#typed(true);
  }

  /** Takes new settings. Another index begins anew. */
  set(settings: Settings, phrases: Phrases, strings: string | null): void {
    const old = this.#settings;
    this.#settings = settings;
    this.#phrases = phrases;
    this.#k = settings.k;
    if (!this.#session || old?.src !== settings.src || old.site !== settings.site) {
      this.release();
      this.#session = this.#makeSession(settings, strings);
    }
    this.#name();
    this.#show();
    if (old && this.value.trim() !== '' && this.#panel.isOpen) this.#ask(true);
  }

  release(): void {
    this.close();
    this.#session?.release();
    this.#session = undefined;
    this.#answer = undefined;
    this.#problem = undefined;
    this.#meaning = { state: 'waiting' };
  }

  open(): void {
    if (this.value.trim() === '' || this.#panel.isOpen) return;
    this.#panel.open();
    this.view.input.setAttribute('aria-expanded', 'true');
    this.#events.send('open', undefined);
    if (!this.#isCurrent()) this.#ask(true);
  }

  close(): void {
    if (!this.#panel.isOpen) return;
    this.#panel.close();
    this.view.input.setAttribute('aria-expanded', 'false');
    this.#choose(undefined);
    this.#events.send('close', undefined);
  }

  /** Tries again what has failed. */
  retry(): void {
    if (!this.#problem) return;
    this.#problem = undefined;
    this.#show();
    this.#session?.prepare({ model: this.#byMeaning });
    if (this.value.trim() !== '') this.#ask(true);
  }

  get #byMeaning(): boolean {
    return this.#settings.mode !== 'words';
  }

  #isCurrent(): boolean {
    return this.#answer?.query === this.value && this.#problem === undefined;
  }

  #makeSession(settings: Settings, strings: string | null): Session {
    return new Session(new SearchUse(settings, strings), {
      onBusy: (isBusy) => this.#setBusy(isBusy),
      onAnswer: (answer, siteUrl) => this.#setAnswer(answer, siteUrl),
      onError: (error) => this.#setError(error),
      onMeaning: (state, loading) => this.#setMeaning(state, loading),
    });
  }

  #listen(): void {
    const { root, input, clear, panel, list, more } = this.view;
    root.addEventListener('pointerenter', () => this.#session?.prepare({ model: false }));
    input.addEventListener('focus', () => {
      this.#session?.prepare({ model: this.#byMeaning });
      this.open();
    });
    input.addEventListener('input', () => this.#typed(false));
    input.addEventListener('keydown', (event) => this.#press(event));
    input.addEventListener('click', () => this.open());
    root.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && root.contains(relatedTarget))) this.close();
    });
    // The field keeps the focus, also where a browser gives none to a button that is pressed.
    panel.addEventListener('mousedown', (event) => event.preventDefault());
    panel.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#act({ kind: 'close' }, event);
    });
    clear.addEventListener('click', () => this.#clear());
    list.addEventListener('click', (event) => this.#select(event));
    more.addEventListener('click', () => this.#askForMore());
  }

  #typed(isNow: boolean): void {
    this.#k = this.#settings.k;
    this.#chooseNext = undefined;
    this.#choose(undefined);
    this.#showField();
    if (this.value.trim() !== '') {
      this.#ask(isNow);
      if (this.view.input.matches(':focus')) this.open();
      return;
    }
    this.#session?.stop();
    this.#answer = undefined;
    this.#problem = undefined;
    this.#chosen.clear();
    this.#filtersView.clear();
    this.close();
    this.#show();
  }

  #ask(isNow: boolean): void {
    const { mode, facets } = this.#settings;
    const filters = Object.fromEntries(
      [...this.#chosen].map(([name, values]): [string, string[]] => [name, [...values]]),
    );
    const options = { k: this.#k, filters, ...(facets && { facets }) };
    this.#session?.ask({ query: this.value, mode, options }, isNow);
  }

  /** The field has the focus, because the button may go. The first result that was not there is chosen. */
  #askForMore(): void {
    this.view.input.focus();
    this.#chooseNext = this.#choices.length;
    this.#k = Math.min(mostPages, this.#k * 2);
    this.#ask(true);
  }

  #press(event: KeyboardEvent): void {
    // These keys belong to what is being composed.
    if (event.isComposing) return;
    const action = keyAction(event.key, {
      isOpen: this.#panel.isOpen,
      hasText: this.value !== '',
      count: this.#choices.length,
      active: this.#active,
    });
    if (action) this.#act(action, event);
  }

  #act(action: KeyAction, event: KeyboardEvent): void {
    event.preventDefault();
    if (action.kind === 'move') this.#choose(action.to);
    else if (action.kind === 'show') this.open();
    else if (action.kind === 'open-result') this.#openActive(event);
    else if (action.kind === 'search') this.#search();
    else if (action.kind === 'clear') this.#clear();
    else {
      // A dialog around the field stays open.
      event.stopPropagation();
      this.view.input.focus();
      this.close();
    }
  }

  /** The first result is chosen, once it is there; nothing opens unseen. */
  #search(): void {
    this.open();
    if (this.#isCurrent() && !this.#isBusy) this.#choose(this.#choices.length > 0 ? 0 : undefined);
    else this.#ask(true);
  }

  #clear(): void {
    this.value = '';
    this.view.input.focus();
  }

  #openActive({ ctrlKey, metaKey, shiftKey }: KeyboardEvent): void {
    const init = { bubbles: true, cancelable: true, composed: true };
    const click = new MouseEvent('click', { ...init, ctrlKey, metaKey, shiftKey });
    this.#choices[this.#active ?? 0]?.element.dispatchEvent(click);
  }

  #select(event: MouseEvent): void {
    const choice = this.#choices.find(({ element }) => event.composedPath().includes(element));
    if (!choice) return;
    const { page, section } = choice;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const detail = { url: (section ?? page).url, page, section, isPlain };
    if (!this.#events.send('select', detail)) event.preventDefault();
    if (isPlain) this.close();
  }

  #toggle(name: string, value: string): void {
    const values = this.#chosen.get(name) ?? new Set();
    if (!values.delete(value)) values.add(value);
    if (values.size > 0) this.#chosen.set(name, values);
    else this.#chosen.delete(name);
    this.#ask(true);
  }

  #clearFilters(): void {
    this.#chosen.clear();
    this.view.input.focus();
    this.#ask(true);
  }

  #setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.view.list.setAttribute('aria-busy', String(isBusy));
    if (!this.#answer && !this.#problem) this.#showMessage();
  }

  #setAnswer(answer: SiteAnswer, siteUrl: string): void {
    // An answer to a text that is not there any more.
    if (this.value.trim() === '') return;
    this.#answer = answer;
    this.#siteUrl = siteUrl;
    this.#problem = undefined;
    const { state, loading } = this.#meaning;
    this.#meaning = {
      state: answer.meaning,
      loading: state === answer.meaning ? loading : undefined,
    };
    this.#show();
    this.#events.send('answer', answer);
  }

  #setError(error: unknown): void {
    this.#problem = problemOf(error, navigator.onLine);
    this.#show();
    this.#events.send('error', error);
  }

  #setMeaning(state: MeaningState, loading?: Loading): void {
    const isSame = this.#meaning.state === state;
    this.#meaning = { state, loading };
    this.#showBar();
    const text = this.view.status.querySelector('.loading');
    if (isSame && !text) return;
    if (!isSame && this.#answer && !this.#problem) this.#showMessage();
    this.#showStatus();
  }

  /** The names and texts that do not depend on an answer. */
  #name(): void {
    const { root, input, clear, list, more, keys, hotkey } = this.view;
    const phrases = this.#phrases;
    const { hotkeys } = this.#settings;
    const label = phrases.text('label');
    setAttribute(root, 'aria-label', label);
    setAttribute(input, 'aria-label', label);
    setAttribute(input, 'placeholder', phrases.text('placeholder'));
    setAttribute(input, 'aria-keyshortcuts', hotkeys.map(hotkeyName).join(' ') || undefined);
    setAttribute(clear, 'aria-label', phrases.text('clear'));
    setAttribute(list, 'aria-label', phrases.text('results'));
    setText(more, phrases.text('moreResults'));
    const [first] = hotkeys;
    setText(hotkey, first === undefined ? '' : hotkeyLabel(first));
    keys.replaceChildren(...keyHints(phrases));
  }

  #show(): void {
    this.#showField();
    this.#showList();
    this.#showMessage();
    this.#showStatus();
    this.#showBar();
    this.#announce();
  }

  #showField(): void {
    const { clear, hotkey } = this.view;
    clear.hidden = this.value === '';
    hotkey.hidden = this.value !== '' || this.#settings.hotkeys.length === 0;
  }

  #showList(): void {
    const { list, more } = this.view;
    const answer = this.#problem ? undefined : this.#answer;
    const pages = answer?.pages ?? [];
    const kept = this.#active === undefined ? undefined : this.#choices[this.#active]?.element.href;
    this.#choices = showResults(list, pages, this.#siteUrl);
    const active = this.#choices.findIndex(({ element }) => element.href === kept);
    this.#choose(this.#chooseNext ?? (active < 0 ? undefined : active));
    this.#chooseNext = undefined;
    list.hidden = pages.length === 0;
    const total = answer?.total ?? 0;
    more.hidden = pages.length === 0 || pages.length >= total || this.#k >= mostPages;
    const hasFacets = answer?.facets !== undefined;
    if (hasFacets) this.#filtersView.show(answer, this.#chosen, this.#phrases);
    else this.#filtersView.element.hidden = true;
  }

  #showMessage(): void {
    const { message } = this.view;
    const problem = this.#problem;
    const answer = this.#answer;
    const parts = problem
      ? problemMessage(problem, this.#phrases, () => {
          // The button goes with the message.
          this.view.input.focus();
          this.retry();
        })
      : answer
        ? emptyMessage(answer, this.#meaning.state, this.#phrases)
        : searchingMessage(this.#phrases);
    message.hidden = !parts;
    message.replaceChildren(...(parts ?? []));
  }

  #showStatus(): void {
    const { status, panel } = this.view;
    const meaning = this.#byMeaning ? this.#meaning : { state: 'off' as const };
    const answer = this.#problem ? undefined : this.#answer;
    const retry = () => {
      // The button goes with the line.
      this.view.input.focus();
      this.#session?.prepare({ model: true });
    };
    const line = statusLine(answer, meaning, this.#phrases, retry);
    status.replaceChildren(...line);
    // The line has no room for more while it tells of the model.
    const isQuiet = meaning.state !== 'loading' && meaning.state !== 'failed';
    panel.classList.toggle('has-hints', answer?.state === 'found' && isQuiet);
  }

  #showBar(): void {
    const { bar } = this.view;
    const { state, loading } = this.#meaning;
    bar.hidden = !this.#byMeaning || state !== 'loading';
    const share = loading && loading.total > 0 ? loading.loaded / loading.total : undefined;
    bar.classList.toggle('unknown', share === undefined);
    bar.style.setProperty('--_share', String(share ?? 0));
  }

  #choose(place: number | undefined): void {
    const old = this.#choices[this.#active ?? -1]?.element;
    const next = this.#choices[place ?? -1]?.element;
    this.#active = next ? place : undefined;
    old?.setAttribute('aria-selected', 'false');
    next?.setAttribute('aria-selected', 'true');
    setAttribute(this.view.input, 'aria-activedescendant', next?.id);
    next?.scrollIntoView({ block: 'nearest' });
  }

  #announce(): void {
    const answer = this.#answer;
    const phrases = this.#phrases;
    const text = this.#problem
      ? phrases.text(this.#problem.kind)
      : answer?.state === 'found'
        ? phrases.count('found', answer.total, { query: answer.query.trim() })
        : [...this.view.message.querySelectorAll('p:not(.searching)')]
            .map((p) => p.textContent)
            .join(' ');
    setText(this.view.live, text);
  }
}
