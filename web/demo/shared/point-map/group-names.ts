// Names groups of texts by the words that tell them from the other groups: class-based tf-idf (Grootendorst 2022). Works
// without a page.

export interface TellingWord {
  /** Equal for all forms of a word. */
  readonly key: string;
  readonly word: string;
}

const wordsOfName = 3;

interface Count {
  /** The texts with the word, by group. */
  readonly groups: Map<number, number>;
  readonly forms: Map<string, number>;
  texts: number;
}

function countWords(
  texts: readonly string[],
  members: Uint32Array,
  wordsOf: (text: string) => readonly TellingWord[],
): Map<string, Count> {
  const counts = new Map<string, Count>();
  texts.forEach((text, i) => {
    const group = members[i] ?? 0;
    const words = new Map(wordsOf(text).map(({ key, word }) => [key, word]));
    for (const [key, word] of words) {
      const count = counts.get(key) ?? { groups: new Map(), forms: new Map(), texts: 0 };
      count.groups.set(group, (count.groups.get(group) ?? 0) + 1);
      count.forms.set(word, (count.forms.get(word) ?? 0) + 1);
      count.texts += 1;
      counts.set(key, count);
    }
  });
  return counts;
}

/** The most frequent form of a word. */
function formOf({ forms }: Count): string {
  let [best, most] = ['', 0];
  for (const [form, count] of forms) {
    if (count > most) {
      [best, most] = [form, count];
    }
  }
  return best;
}

/** A name for each of `count` groups; empty for groups without words. */
export function groupNames(
  texts: readonly string[],
  members: Uint32Array,
  count: number,
  wordsOf: (text: string) => readonly TellingWord[],
): string[] {
  const counts = countWords(texts, members, wordsOf);
  const best = Array.from({ length: count }, (): { form: string; score: number }[] => []);
  const perGroup = texts.length / Math.max(1, count);
  for (const word of counts.values()) {
    for (const [group, inGroup] of word.groups) {
      // A word in one text of many tells little about the group, and it may be a name or a slip.
      const score = (inGroup - 0.5) * Math.log(1 + perGroup / word.texts);
      const top = best[group];
      if (top !== undefined) {
        top.push({ form: formOf(word), score });
        top.sort((a, b) => b.score - a.score);
        top.length = Math.min(top.length, wordsOfName);
      }
    }
  }
  return best.map((top) => top.map(({ form }) => form).join(', '));
}
