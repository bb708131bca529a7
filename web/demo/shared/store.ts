// One page, one state: views subscribe, actions update, and nobody else holds the truth.

export class Store<State extends object> {
  #state: State;
  readonly #listeners = new Set<(state: State, previous: State) => void>();

  constructor(initial: State) {
    this.#state = initial;
  }

  get state(): State {
    return this.#state;
  }

  /** Replaces some fields and tells every subscriber. */
  update(patch: Partial<State>): void {
    const previous = this.#state;
    this.#state = { ...previous, ...patch };
    for (const listener of this.#listeners) {
      listener(this.#state, previous);
    }
  }

  /** Calls back now, and again whenever one of the named fields is another value than before. */
  watch<Key extends keyof State>(keys: readonly Key[], render: (state: State) => void): void {
    this.#listeners.add((state, previous) => {
      if (keys.some((key) => state[key] !== previous[key])) {
        render(state);
      }
    });
    render(this.#state);
  }
}
