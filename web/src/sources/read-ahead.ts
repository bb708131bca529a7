// Decides how many bytes to request when a parser needs a few. If it reads on, each request is four times as large as the
// last. If it jumps (over a tensor to the next header), the request is small. A parser may alternate between several
// positions, such as the head of a file and its end.

const headBytes = 64 * 1024;
const jumpBytes = 2 * 1024;
const largestBytes = 4 << 20;

export class ReadAhead {
  /** Maps the end of each range that was read to the size of its last request. */
  readonly #fronts = new Map<number, number>([[0, headBytes / 4]]);

  /** The number of bytes to request at `offset`. At least `need` bytes are needed. */
  take(offset: number, need: number): number {
    const fronts = this.#fronts;
    const front =
      [...fronts.keys()].find((end) => offset >= end && offset <= end + jumpBytes) ?? -1;
    const last = fronts.get(front) ?? 0;
    fronts.delete(front);
    const window = last ? Math.min(last * 4, largestBytes) : jumpBytes;
    // The bytes after a table that was read in one piece are often needed, too.
    const size = last && need > window / 2 ? need + headBytes : Math.max(need, window);
    fronts.set(offset + size, window);
    return size;
  }
}
