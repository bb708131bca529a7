// Shows what a search box knows: the field, the results, and what is told of them.
import type { SiteAnswer } from '../client/base/types.ts';
import { setAttribute, setText } from './dom.ts';
import { FiltersView } from './filters-view.ts';
import { hotkeyLabel, hotkeyName } from './hotkey.ts';
import {
  emptyMessage,
  keyHints,
  type Meaning,
  problemMessage,
  searchingMessage,
  statusLine,
} from './messages-view.ts';
import type { Problem } from './problem.ts';
import { type Choice, showResults } from './results-view.ts';
import { mostPages, type Settings } from './settings.ts';
import type { Phrases } from './strings.ts';
import { makeTemplate, type Template } from './template.ts';

export interface BoxState {
  readonly answer: SiteAnswer | undefined;
  /** The address of the site. */
  readonly siteUrl: string;
  readonly problem: Problem | undefined;
  readonly meaning: Meaning;
  /** The pages that were asked for. */
  readonly k: number;
  /** The values that are chosen, for each filter with some. */
  readonly chosen: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What the reader does with buttons that come and go. */
interface BoxActions {
  readonly onRetry: () => void;
  readonly onRetryMeaning: () => void;
  readonly onToggle: (name: string, value: string) => void;
  readonly onClearFilters: () => void;
  /** Another query was chosen. */
  readonly onAsk: (query: string) => void;
}

export class BoxView {
  readonly parts: Template;
  readonly filters: FiltersView;
  readonly #actions: BoxActions;
  #phrases!: Phrases;
  #hasHotkey = false;
  #choices: readonly Choice[] = [];
  #active: number | undefined;
  /** The text and its pages that were there, until it has another one, which is then chosen. */
  #before: { readonly text: string; readonly urls: ReadonlySet<string> } | undefined;

  constructor(actions: BoxActions) {
    this.#actions = actions;
    this.filters = new FiltersView(actions.onToggle, actions.onClearFilters);
    this.parts = makeTemplate(this.filters.element);
  }

  /** The results that can be chosen. */
  get choices(): readonly Choice[] {
    return this.#choices;
  }

  /** The place of the one that is. */
  get active(): number | undefined {
    return this.#active;
  }

  /** Shows the names and texts that do not depend on an answer. */
  name({ hotkeys }: Settings, phrases: Phrases): void {
    const { root, input, clear, list, more, keys, hotkey } = this.parts;
    this.#phrases = phrases;
    const label = phrases.text('label');
    setAttribute(root, 'aria-label', label);
    setAttribute(input, 'aria-label', label);
    setAttribute(input, 'placeholder', phrases.text('placeholder'));
    setAttribute(input, 'aria-keyshortcuts', hotkeys.map(hotkeyName).join(' ') || undefined);
    setAttribute(clear, 'aria-label', phrases.text('clear'));
    setAttribute(list, 'aria-label', phrases.text('results'));
    setText(more, phrases.text('moreResults'));
    const [first] = hotkeys;
    this.#hasHotkey = first !== undefined;
    setText(hotkey, first === undefined ? '' : hotkeyLabel(first));
    keys.replaceChildren(...keyHints(phrases));
  }

  show(state: BoxState): void {
    this.showField();
    this.#showList(state);
    this.showMessage(state);
    this.showMeaning(state);
    this.#announce(state);
  }

  showField(): void {
    const { input, clear, hotkey } = this.parts;
    clear.hidden = input.value === '';
    hotkey.hidden = input.value !== '' || !this.#hasHotkey;
  }

  showMessage({ problem, answer, meaning }: BoxState): void {
    const { message } = this.parts;
    const parts = problem
      ? problemMessage(problem, this.#phrases, () => this.#keepFocus(this.#actions.onRetry))
      : answer
        ? emptyMessage(answer, meaning.state, this.#phrases, (query) =>
            this.#keepFocus(() => this.#actions.onAsk(query)),
          )
        : searchingMessage(this.#phrases);
    message.hidden = !parts;
    message.replaceChildren(...(parts ?? []));
  }

  /** Shows the line below the results, and the one at the field. */
  showMeaning({ problem, answer, meaning }: BoxState): void {
    const { status, panel, bar } = this.parts;
    const { state, loading } = meaning;
    const shown = problem ? undefined : answer;
    const retry = () => this.#keepFocus(this.#actions.onRetryMeaning);
    status.replaceChildren(...statusLine(shown, meaning, this.#phrases, retry));
    // The line has no room for more while it tells of the model.
    const isQuiet = state !== 'loading' && state !== 'failed';
    panel.classList.toggle('has-hints', shown?.state === 'found' && isQuiet);
    bar.hidden = state !== 'loading';
    const share = loading && loading.total > 0 ? loading.loaded / loading.total : undefined;
    bar.classList.toggle('unknown', share === undefined);
    bar.style.setProperty('--_share', String(share ?? 0));
  }

  choose(place: number | undefined): void {
    const old = this.#choices[this.#active ?? -1]?.element;
    const next = this.#choices[place ?? -1]?.element;
    this.#before = undefined;
    this.#active = next ? place : undefined;
    old?.setAttribute('aria-selected', 'false');
    next?.setAttribute('aria-selected', 'true');
    setAttribute(this.parts.input, 'aria-activedescendant', next?.id);
    next?.scrollIntoView({ block: 'nearest' });
  }

  /** Chooses the first page that is not there yet. */
  chooseNext(): void {
    const urls = new Set(this.#choices.map(({ page }) => page.url));
    this.#before = { text: this.parts.input.value, urls };
  }

  /** The button that is pressed may go. */
  #keepFocus(action: () => void): void {
    this.parts.input.focus();
    action();
  }

  #showList({ problem, answer, siteUrl, k, chosen: values }: BoxState): void {
    const { list, more } = this.parts;
    const shown = problem ? undefined : answer;
    const pages = shown?.pages ?? [];
    const kept = this.#choices[this.#active ?? -1]?.element.href;
    this.#choices = showResults(list, pages, siteUrl);
    const before = this.#before?.text === this.parts.input.value ? this.#before : undefined;
    const added = this.#choices.findIndex(({ page }) => before?.urls.has(page.url) === false);
    const again = this.#choices.findIndex(({ element }) => element.href === kept);
    const chosen = added < 0 ? again : added;
    this.choose(chosen < 0 ? undefined : chosen);
    this.#before = added < 0 ? before : undefined;
    list.hidden = pages.length === 0;
    more.hidden = pages.length === 0 || pages.length >= (shown?.total ?? 0) || k >= mostPages;
    if (shown?.facets) {
      this.filters.show(shown, values, this.#phrases);
    } else {
      this.filters.element.hidden = true;
    }
  }

  /** For screen readers. */
  #announce({ problem, answer }: BoxState): void {
    const { live, message } = this.parts;
    const phrases = this.#phrases;
    const texts = [...message.querySelectorAll('p:not(.searching)')].map((p) => p.textContent);
    const text = problem
      ? phrases.text(problem.kind)
      : answer?.state === 'found'
        ? phrases.count('found', answer.total, { query: answer.query.trim() })
        : texts.join(' ');
    setText(live, text);
  }
}
