// Passages on their way to the caller, as columns: a message is copied, and a list of small objects takes many times as long.
import type { Passage } from '../base/types.ts';

/** What passages share. */
export interface SharedParts {
  readonly heading?: string;
  /** All fields of the record that the passages come from. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** True if positions are pages. */
  readonly isPaged?: boolean;
}

export interface PassageBatch {
  readonly ids: readonly (string | number)[];
  readonly texts: readonly string[];
  readonly positions: readonly number[];
  /** In the order of the passages. */
  readonly groups: readonly PassageGroup[];
}

interface PassageGroup extends SharedParts {
  /** How many passages share this. */
  readonly passages: number;
  /** Set if they share what the last passages of the batch before do. It is sent once, because it may be large. */
  readonly goesOn?: true;
}

/** Limits of one batch. The caller's thread unpacks a message without a break. */
const maxPassages = 512;
const maxUnits = 1 << 18;

export class BatchMaker {
  #ids: (string | number)[] = [];
  #texts: string[] = [];
  #positions: number[] = [];
  #groups: (PassageGroup & { passages: number })[] = [];
  #units = 0;
  /** What the last passage shares. */
  #shared: SharedParts | undefined;

  /** Passages that share nothing have the same `shared`. */
  add(id: string | number, text: string, position: number, shared: SharedParts): void {
    const last = this.#groups.at(-1);
    if (this.#shared !== shared) {
      this.#groups.push({ ...shared, passages: 1 });
    } else if (last) {
      last.passages++;
    } else {
      this.#groups.push({ goesOn: true, passages: 1 });
    }
    this.#shared = shared;
    this.#ids.push(id);
    this.#texts.push(text);
    this.#positions.push(position);
    this.#units += text.length;
  }

  get isEmpty(): boolean {
    return this.#ids.length === 0;
  }

  get isFull(): boolean {
    return this.#ids.length >= maxPassages || this.#units >= maxUnits;
  }

  take(): PassageBatch {
    const batch = {
      ids: this.#ids,
      texts: this.#texts,
      positions: this.#positions,
      groups: this.#groups,
    };
    this.#ids = [];
    this.#texts = [];
    this.#positions = [];
    this.#groups = [];
    this.#units = 0;
    return batch;
  }
}

/** Takes the batches of a document in their order. */
export class PassageList {
  readonly passages: Passage[] = [];
  readonly #source: string;
  #shared: SharedParts = {};

  /** `source` is the document's path. */
  constructor(source: string) {
    this.#source = source;
  }

  add({ ids, texts, positions, groups }: PassageBatch): void {
    let at = 0;
    for (const group of groups) {
      if (!group.goesOn) {
        this.#shared = group;
      }
      for (const end = at + group.passages; at < end; at++) {
        this.#push(ids[at] ?? '', texts[at] ?? '', positions[at] ?? 1);
      }
    }
  }

  #push(id: string | number, text: string, position: number): void {
    const { fields, heading, isPaged } = this.#shared;
    const own = { id, text, source: this.#source, position };
    const passage: Passage = fields ? { ...fields, ...own } : own;
    if (heading === undefined && !isPaged) {
      this.passages.push(passage);
    } else {
      this.passages.push({
        ...passage,
        ...(heading !== undefined && { heading }),
        ...(isPaged && { page: position }),
      });
    }
  }
}
