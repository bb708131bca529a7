// How many letters two words differ by.
import { checkedText } from './checked-text.ts';

const surrogates = /[\ud800-\udfff]/;

/** The letters by their places. Few words have letters of two code units. */
const lettersOf = (word: string): ArrayLike<string> => (surrogates.test(word) ? [...word] : word);

/**
 * The letters that are changed, added, left out or exchanged with their neighbour, as far as they are no more than `most`;
 * `most` + 1 for all words that differ by more.
 *
 * @example
 * import { editDistance } from 'ambry/terms';
 *
 * editDistance('lifetme', 'lifetime', 2); // 1
 */
export function editDistance(a: string, b: string, most: number): number {
  const [left, right] = [lettersOf(checkedText(a)), lettersOf(checkedText(b))];
  if (Math.abs(left.length - right.length) > most) {
    return most + 1;
  }
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, j) => j);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= right.length; j++) {
      const changed = left[i - 1] === right[j - 1] ? 0 : 1;
      let cost = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + changed,
      );
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) {
      return most + 1;
    }
    [before, above] = [above, row];
  }
  return Math.min(most + 1, above[right.length] as number);
}
