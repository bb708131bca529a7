// Keeps what single ranges had beside the bytes that were asked for, so that the next search need not ask for it.
import type { ByteRange, Piece } from './ranges.ts';

const mostBytes = 4 * 1024 * 1024;

interface KeptPiece extends Piece {
  readonly path: string;
}

export class KeptPieces {
  /** The newest last. */
  #pieces: KeptPiece[] = [];
  #bytes = 0;

  add(path: string, pieces: readonly Piece[]): void {
    for (const { from, bytes } of pieces) {
      this.#pieces.push({ path, from, bytes });
      this.#bytes += bytes.length;
    }
    while (this.#bytes > mostBytes) {
      this.#bytes -= this.#pieces.shift()?.bytes.length ?? 0;
    }
  }

  /** What is kept of a file. */
  of(path: string): readonly Piece[] {
    return this.#pieces.filter((piece) => piece.path === path);
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }
}

/** Whether one of the pieces has all of the range. */
export const hasRange = (pieces: readonly Piece[], [from, to]: ByteRange): boolean =>
  pieces.some((piece) => piece.from <= from && piece.from + piece.bytes.length >= to);
