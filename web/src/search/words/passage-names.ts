// Finds the passages whose name is the query: their title, file or heading, or their whole text.
import type { Yielder } from '../../base/yielder.ts';
import type { Doc } from '../base/types.ts';
import { nameKey } from './names.ts';

/** From 0 to 1: a title says more than a file, and that more than a heading. */
const weights = { title: 1, name: 1, text: 1, source: 0.9, heading: 0.7 } as const;
/** The last name of a path of names, such as `serve` of `Deno.serve`. */
const lastNameWeight = 0.4;
/** A heading that passages of more documents have, such as "Examples", names none of them. */
const mostHolders = 3;
/** Longer texts are no names. */
const mostLength = 100;

interface Named {
  readonly doc: Doc;
  readonly weight: number;
}

export class PassageNames {
  readonly #named: ReadonlyMap<string, readonly Named[]>;

  private constructor(named: ReadonlyMap<string, readonly Named[]>) {
    this.#named = named;
  }

  static async of(docs: Iterable<Doc>, yielder: Yielder): Promise<PassageNames> {
    const named = new Map<string, Named[]>();
    for (const doc of docs) {
      await yielder.yieldIfDue();
      for (const [key, weight] of namesOf(doc)) {
        const others = named.get(key) ?? [];
        others.push({ doc, weight });
        named.set(key, others);
      }
    }
    return new PassageNames(named);
  }

  /** How much the query is the name of each passage, from 0 to 1. The others are not in the map. */
  find(query: string): ReadonlyMap<Doc, number> {
    const key = query.length > mostLength ? undefined : nameKey(query);
    const found = (key === undefined ? undefined : this.#named.get(key)) ?? [];
    const most = Math.max(0, ...found.map(({ weight }) => weight));
    const holders = new Set(found.map(({ doc }) => doc['source'] ?? doc));
    if (most <= weights.heading && holders.size > mostHolders) {
      return new Map();
    }
    return new Map(found.map(({ doc, weight }) => [doc, weight]));
  }
}

/** The keys of a passage's names, with what each says at most. */
function namesOf(doc: Doc): Map<string, number> {
  const keys = new Map<string, number>();
  const add = (name: string, weight: number) => {
    const key = nameKey(name);
    if (key !== undefined) {
      keys.set(key, Math.max(keys.get(key) ?? 0, weight));
    }
  };
  for (const [field, weight] of Object.entries(weights)) {
    const value = doc[field];
    if (typeof value !== 'string' || value.length > mostLength) {
      continue;
    }
    const name = field === 'source' ? fileOf(value) : value;
    add(name, weight);
    const [last = ''] = /(?<=^[^\s]*[\p{L}\p{N}][-._:/]+)[\p{L}\p{N}]{3,}$/u.exec(name) ?? [];
    add(last, lastNameWeight);
  }
  return keys;
}

/** The name of a file without its folders and its extension. */
const fileOf = (path: string): string =>
  (path.split('/').pop() ?? '').replace(/(?<=.)\.[a-z0-9]{1,8}$/i, '');
