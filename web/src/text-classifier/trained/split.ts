// Which examples are learned from, and which are held out. The place of an example among those of its label decides, so that
// equal input is split alike.

export interface Split {
  /** Every fifth example of each label. */
  readonly heldOut: Int32Array;
  /** All others. Each label has some. */
  readonly rest: Int32Array;
}

const every = 5;

/** Undefined if fewer than two labels have 5 examples. */
export function splitOf(targets: Int32Array, labels: number): Split | undefined {
  const counts = new Int32Array(labels);
  const heldOut: number[] = [];
  const rest: number[] = [];
  for (const [i, target] of targets.entries()) {
    const count = (counts[target] as number) + 1;
    counts[target] = count;
    (count % every === 0 ? heldOut : rest).push(i);
  }
  if (counts.filter((count) => count >= every).length < 2) {
    return undefined;
  }
  return { heldOut: Int32Array.from(heldOut), rest: Int32Array.from(rest) };
}
