// Which names a part of a template has of its own, and what each is at its beginning. jinja2 decides that before a
// template runs, so a name that is set in one branch only, or later, is what jinja2 makes of it.

/** Where the value of a name comes from when its part begins:
 *  `outer`: the part around it has it; `context`: the names that the template is given; `missing`: it has none yet;
 *  `given`: whoever begins the part sets it. */
export type Load = 'outer' | 'context' | 'missing' | 'given';

export class Symbols {
  readonly parent: Symbols | undefined;
  readonly loads: Map<string, Load>;
  readonly stores: Set<string>;

  constructor(
    parent: Symbols | undefined,
    loads = new Map<string, Load>(),
    stores = new Set<string>(),
  ) {
    this.parent = parent;
    this.loads = loads;
    this.stores = stores;
  }

  has(name: string): boolean {
    return this.loads.has(name) || (this.parent?.has(name) ?? false);
  }

  load(name: string): void {
    if (!this.has(name)) {
      this.loads.set(name, 'context');
    }
  }

  store(name: string): void {
    this.stores.add(name);
    if (!this.loads.has(name)) {
      this.loads.set(name, this.parent?.has(name) ? 'outer' : 'missing');
    }
  }

  give(name: string): void {
    this.stores.add(name);
    this.loads.set(name, 'given');
  }

  branch(): Symbols {
    return new Symbols(this.parent, new Map(this.loads), new Set(this.stores));
  }

  /** Takes what branches have found. A name that not all of them set keeps what it was where they begin. */
  merge(branches: readonly Symbols[]): void {
    const counts = new Map<string, number>();
    for (const { stores } of branches) {
      for (const name of stores) {
        if (!this.stores.has(name)) {
          counts.set(name, (counts.get(name) ?? 0) + 1);
        }
      }
    }
    for (const branch of branches) {
      for (const [name, load] of branch.loads) {
        this.loads.set(name, load);
      }
      for (const name of branch.stores) {
        this.stores.add(name);
      }
    }
    for (const [name, count] of counts) {
      if (count < branches.length) {
        this.loads.set(name, this.parent?.has(name) ? 'outer' : 'context');
      }
    }
  }
}
