// Which of an index's languages a passage has. A passage that does not show it, such as a title, has that of its document.
import type { Yielder } from '../../base/yielder.ts';
import type { Doc } from '../base/types.ts';
import { detector, startOf } from './detect-languages.ts';

export class LanguageChoice {
  readonly #codes: readonly string[];
  /** For each document how often its passages show each language. */
  readonly #shown = new Map<unknown, Map<string, number>>();

  /** `codes` are the languages to choose from, the most frequent first. */
  constructor(codes: readonly string[]) {
    this.#codes = codes;
  }

  /** The code of each passage. */
  async of(docs: readonly Doc[], yielder: Yielder): Promise<readonly string[]> {
    const first = this.#codes[0] as string;
    if (this.#codes.length === 1) {
      return docs.map(() => first);
    }
    const detect = detector(this.#codes);
    const found: (string | undefined)[] = [];
    for (const doc of docs) {
      await yielder.yieldIfDue();
      const code = await detect(startOf(doc));
      this.#count(doc['source'], code);
      found.push(code);
    }
    return docs.map((doc, i) => found[i] ?? this.#ofDocument(doc['source']) ?? first);
  }

  #count(source: unknown, code: string | undefined): void {
    if (source === undefined || code === undefined) {
      return;
    }
    const counts = this.#shown.get(source) ?? new Map<string, number>();
    counts.set(code, (counts.get(code) ?? 0) + 1);
    this.#shown.set(source, counts);
  }

  #ofDocument(source: unknown): string | undefined {
    const counts = [...(this.#shown.get(source) ?? [])];
    return counts.sort((a, b) => b[1] - a[1])[0]?.[0];
  }
}
