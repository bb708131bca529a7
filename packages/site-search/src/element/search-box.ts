// The behaviour of the element: what the reader does, and what is asked.
import type { MeaningState, SiteAnswer } from '../client/base/types.ts';
import { type BoxState, BoxView } from './box-view.ts';
import type { ElementEvents } from './events.ts';
import { type KeyAction, keyAction } from './keys.ts';
import type { Meaning } from './messages-view.ts';
import { Panel } from './panel.ts';
import { type Problem, problemOf } from './problem.ts';
import { type Loading, Session } from './session.ts';
import { mostPages, type Settings } from './settings.ts';
import { SearchUse } from './shared-search.ts';
import { steadyAnswer } from './steady.ts';
import type { Phrases } from './strings.ts';
import type { Template } from './template.ts';

export class SearchBox {
  readonly #view: BoxView;
  readonly #events: ElementEvents;
  readonly #panel: Panel;
  #session: Session | undefined;
  #settings!: Settings;
  /** The attribute, which the search checks. */
  #strings: string | null = null;
  #k = 0;
  /** The values that are chosen, for each filter with some. */
  readonly #chosen = new Map<string, Set<string>>();
  #answer: SiteAnswer | undefined;
  #siteUrl = '';
  #problem: Problem | undefined;
  #meaning: Meaning = { state: 'waiting' };
  #isBusy = false;

  constructor(events: ElementEvents) {
    this.#events = events;
    this.#view = new BoxView({
      onRetry: () => this.retry(),
      onRetryMeaning: () => this.#session?.prepareAgain(),
      onToggle: (name, value) => this.#toggle(name, value),
      onClearFilters: () => this.#clearFilters(),
      onAsk: (query) => {
        this.value = query;
      },
    });
    const { box, panel } = this.view;
    this.#panel = new Panel(panel, box, () => this.close());
    this.#listen();
  }

  get view(): Template {
    return this.#view.parts;
  }

  get value(): string {
    return this.view.input.value;
  }

  set value(text: string) {
    this.view.input.value = text;
    // An element that is on no page asks when it is.
    if (this.#session) {
      this.#typed(true);
    }
  }

  /** Takes new settings. Another index begins anew. */
  set(settings: Settings, phrases: Phrases, strings: string | null): void {
    const old = this.#settings;
    this.#settings = settings;
    this.#k = settings.k;
    this.#view.name(settings, phrases);
    const isSame =
      old?.src === settings.src && old?.site === settings.site && this.#strings === strings;
    this.#strings = strings;
    if (!this.#session || !isSame) {
      this.release();
      this.#session = this.#makeSession(settings, strings);
    }
    this.#show();
    if (old && this.value.trim() !== '' && this.#panel.isOpen) {
      this.#ask(true);
    }
  }

  release(): void {
    this.close();
    this.#session?.release();
    this.#session = undefined;
    this.#answer = undefined;
    this.#problem = undefined;
    this.#meaning = { state: 'waiting' };
    this.#forgetFilters();
  }

  open(): void {
    if (this.value.trim() === '' || this.#panel.isOpen) {
      return;
    }
    this.#panel.open();
    this.view.input.setAttribute('aria-expanded', 'true');
    this.#events.send('open', undefined);
    if (!this.#isCurrent()) {
      this.#ask(true);
    }
  }

  close(): void {
    if (!this.#panel.isOpen) {
      return;
    }
    this.#panel.close();
    this.view.input.setAttribute('aria-expanded', 'false');
    this.#view.choose(undefined);
    this.#events.send('close', undefined);
  }

  /** Tries again what has failed, and the model also if it is about to fail. */
  retry(): void {
    const { state } = this.#meaning;
    const wantsModel =
      this.#byMeaning && (this.#problem || state === 'failed' || state === 'loading');
    if (wantsModel) {
      this.#session?.prepareAgain();
    }
    if (!this.#problem) {
      return;
    }
    this.#problem = undefined;
    this.#show();
    if (this.value.trim() !== '') {
      this.#ask(true);
    }
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
      if (!(relatedTarget instanceof Node && root.contains(relatedTarget))) {
        this.close();
      }
    });
    // The field keeps the focus, also where a browser gives none to a button that is pressed.
    panel.addEventListener('mousedown', (event) => event.preventDefault());
    root.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && event.target !== input && this.#panel.isOpen) {
        this.#act({ kind: 'close' }, event);
      }
    });
    clear.addEventListener('click', () => this.#clear());
    list.addEventListener('click', (event) => this.#select(event));
    more.addEventListener('click', () => this.#askForMore());
  }

  #typed(isNow: boolean): void {
    this.#k = this.#settings.k;
    this.#view.choose(undefined);
    this.#view.showField();
    if (this.value.trim() !== '') {
      this.#ask(isNow);
      if (this.view.input.matches(':focus')) {
        this.open();
      }
      return;
    }
    this.#session?.stop();
    this.#answer = undefined;
    this.#problem = undefined;
    this.#forgetFilters();
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
    this.#view.chooseNext();
    this.#k = Math.min(mostPages, this.#k * 2);
    this.#ask(true);
  }

  #press(event: KeyboardEvent): void {
    // These keys belong to what is being composed.
    if (event.isComposing) {
      return;
    }
    const action = keyAction(event.key, {
      isOpen: this.#panel.isOpen,
      hasText: this.value !== '',
      count: this.#view.choices.length,
      active: this.#view.active,
    });
    if (action) {
      this.#act(action, event);
    }
  }

  #act(action: KeyAction, event: KeyboardEvent): void {
    event.preventDefault();
    if (action.kind === 'move') {
      this.#view.choose(action.to);
    } else if (action.kind === 'show') {
      this.open();
    } else if (action.kind === 'open-result') {
      this.#openActive(event);
    } else if (action.kind === 'search') {
      this.#search();
    } else if (action.kind === 'clear') {
      this.#clear();
    } else {
      // A dialog around the field stays open.
      event.stopPropagation();
      this.view.input.focus();
      this.close();
    }
  }

  /** The first result is chosen, once it is there; nothing opens unseen. */
  #search(): void {
    this.open();
    if (this.#isCurrent() && !this.#isBusy) {
      this.#view.choose(this.#view.choices.length > 0 ? 0 : undefined);
    } else {
      this.#ask(true);
    }
  }

  #clear(): void {
    this.value = '';
    this.view.input.focus();
  }

  #openActive({ ctrlKey, metaKey, shiftKey }: KeyboardEvent): void {
    const init = { bubbles: true, cancelable: true, composed: true };
    const click = new MouseEvent('click', { ...init, ctrlKey, metaKey, shiftKey });
    this.#view.choices[this.#view.active ?? 0]?.element.dispatchEvent(click);
  }

  #select(event: MouseEvent): void {
    const choice = this.#view.choices.find(({ element }) => event.composedPath().includes(element));
    if (!choice) {
      return;
    }
    const { page, section } = choice;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const detail = { url: (section ?? page).url, page, section, isPlain };
    if (!this.#events.send('select', detail)) {
      event.preventDefault();
    }
    if (isPlain) {
      this.close();
    }
  }

  #toggle(name: string, value: string): void {
    const values = this.#chosen.get(name) ?? new Set();
    if (!values.delete(value)) {
      values.add(value);
    }
    if (values.size > 0) {
      this.#chosen.set(name, values);
    } else {
      this.#chosen.delete(name);
    }
    this.#ask(true);
  }

  #clearFilters(): void {
    this.#chosen.clear();
    this.view.input.focus();
    this.#ask(true);
  }

  #forgetFilters(): void {
    this.#chosen.clear();
    this.#view.filters.clear();
  }

  get #state(): BoxState {
    return {
      answer: this.#answer,
      siteUrl: this.#siteUrl,
      problem: this.#problem,
      meaning: this.#byMeaning ? this.#meaning : { state: 'off' },
      k: this.#k,
      chosen: this.#chosen,
    };
  }

  #show(): void {
    this.#view.show(this.#state);
  }

  #setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.view.list.setAttribute('aria-busy', String(isBusy));
    if (!this.#answer && !this.#problem) {
      this.#view.showMessage(this.#state);
    }
  }

  #setAnswer(answer: SiteAnswer, siteUrl: string): void {
    // An answer to a text that is not there any more.
    if (this.value.trim() === '') {
      return;
    }
    const isHeld = this.#view.active !== undefined || this.view.list.matches(':hover');
    this.#answer = isHeld ? steadyAnswer(this.#answer, answer) : answer;
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
    const isNew = this.#meaning.state !== state;
    this.#meaning = { state, loading };
    // Nothing found yet means more while the model is on its way.
    if (isNew && this.#answer && !this.#problem) {
      this.#view.showMessage(this.#state);
    }
    this.#view.showMeaning(this.#state);
    // The answer that is shown was found without the model, and has ended.
    if (state === 'ready' && this.#answer?.meaning === 'failed') {
      this.#ask(true);
    }
  }
}
