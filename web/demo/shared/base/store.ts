// The state of a page. Actions update it, and views subscribe to its fields.

export class Store<State extends object> {
  #state: State;
  readonly #listeners = new Set<(state: State, previous: State) => void>();

  constructor(initial: State) {
    this.#state = initial;
  }

  get state(): State {
    return this.#state;
  }

  /** Replaces some fields and calls the views that watch them. */
  update(patch: Partial<State>): void {
    const previous = this.#state;
    this.#state = { ...previous, ...patch };
    for (const listener of this.#listeners) {
      listener(this.#state, previous);
    }
  }

  /** Calls `render` now, and again whenever one of the named fields changes. */
  watch<Key extends keyof State>(keys: readonly Key[], render: (state: State) => void): void {
    this.#listeners.add((state, previous) => {
      if (keys.some((key) => state[key] !== previous[key])) {
        render(state);
      }
    });
    render(this.#state);
  }
}
