// How many letters two words differ by.

/**
 * The letters that are changed, added, left out or exchanged with their neighbour, as far as they are no more than `most`;
 * `most` + 1 for all words that differ by more.
 */
export function editDistance(a: string, b: string, most: number): number {
  const [left, right] = [[...a], [...b]];
  if (Math.abs(left.length - right.length) > most) {
    return most + 1;
  }
  let before: number[] = [];
  let above = right.map((_, j) => j).concat(right.length);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      let cost = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      }
      row.push(cost);
    }
    if (Math.min(...row) > most) {
      return most + 1;
    }
    [before, above] = [above, row];
  }
  return Math.min(most + 1, above[right.length] as number);
}
