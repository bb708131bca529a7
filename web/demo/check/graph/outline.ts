// The graph as a tree of boxes, for the keyboard and for screen readers.

import { stepOf } from '../architecture/tree-keys.ts';
import { type Entry, isGroup } from './entries/groups.ts';
import { entryViews, type Shown, shownEntries } from './tree-view.ts';

interface OutlineActions {
  /** A press, Enter or the space bar. */
  readonly choose: (entry: Entry) => void;
  /** Opens or closes a group. */
  readonly toggle: (id: string) => void;
}

export class Outline {
  readonly #tree: HTMLElement;
  readonly #actions: OutlineActions;
  #entries: readonly Entry[] = [];
  #shown: Shown = { open: new Set(), chosen: '', current: '' };

  constructor(tree: HTMLElement, actions: OutlineActions) {
    this.#tree = tree;
    this.#actions = actions;
    tree.addEventListener('click', ({ target }) => {
      const entry = this.#entryAt(target);
      if (entry) {
        actions.choose(entry);
      }
    });
    tree.addEventListener('keydown', (event) => this.#onKey(event));
  }

  show(entries: readonly Entry[], shown: Shown, focus: boolean): void {
    this.#entries = entries;
    this.#shown = shown;
    this.#tree.replaceChildren(...entryViews(entries, shown));
    if (focus) {
      const id = CSS.escape(shown.current);
      this.#tree.querySelector<HTMLElement>(`[data-entry="${id}"]`)?.focus();
    }
  }

  #entryAt(target: EventTarget | null): Entry | undefined {
    const view = target instanceof Element ? target.closest<HTMLElement>('[data-entry]') : null;
    const id = view?.dataset['entry'];
    return shownEntries(this.#entries, this.#shown.open).find(({ entry }) => entry.id === id)
      ?.entry;
  }

  #onKey(event: KeyboardEvent): void {
    const entry = this.#entryAt(event.target);
    if (!entry || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const { open } = this.#shown;
    const items = shownEntries(this.#entries, open).map(({ entry: each, level }) => ({
      id: each.id,
      level,
      opens: isGroup(each),
      open: open.has(each.id),
    }));
    const step = stepOf(event.key, items, entry.id);
    if (step === null) {
      return;
    }
    event.preventDefault();
    if (step.act === 'focus') {
      this.show(this.#entries, { ...this.#shown, current: step.id }, true);
    } else if (step.act === 'choose') {
      this.#actions.choose(entry);
    } else {
      this.#actions.toggle(entry.id);
    }
  }
}
