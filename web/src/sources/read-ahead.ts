// How much to ask for when a parser needs a few bytes. Where it reads on, every request is four times
// the last; where it jumps (over a tensor to the next one's header) a small one suffices. A file may be
// read at several fronts in turn: its head, and what its end says.

const headBytes = 64 * 1024;
const jumpBytes = 2 * 1024;
const largestBytes = 4 << 20;

export class ReadAhead {
  /** End of what was read at each front → what was asked for there last. */
  readonly #fronts = new Map<number, number>([[0, headBytes / 4]]);

  /** Bytes to ask for at `offset`, of which `need` are needed. */
  take(offset: number, need: number): number {
    const fronts = this.#fronts;
    const front =
      [...fronts.keys()].find((end) => offset >= end && offset <= end + jumpBytes) ?? -1;
    const last = fronts.get(front) ?? 0;
    fronts.delete(front);
    const window = last ? Math.min(last * 4, largestBytes) : jumpBytes;
    // What follows a table that was asked for in one piece is often wanted too.
    const size = last && need > window / 2 ? need + headBytes : Math.max(need, window);
    fronts.set(offset + size, window);
    return size;
  }
}
