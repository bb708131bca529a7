// The text of an answer that may call tools, as it may be shown so far. What may be a call is held back until the end.
import { callMarks as marks } from './marked-calls.ts';
import { begunAt } from './reasoning-text.ts';

export class HeldText {
  #text = '';
  #shown = 0;

  get whole(): string {
    return this.#text;
  }

  /** Whether there is text that was not shown yet. */
  get isHolding(): boolean {
    return this.#shown < this.#text.length;
  }

  /** Takes a piece, and returns what may be shown now. */
  add(piece: string): string {
    this.#text += piece;
    return this.#showTo(certainLength(this.#text));
  }

  /** Takes a piece that waits for the end. */
  keep(piece: string): void {
    this.#text += piece;
  }

  /** What is left of an answer without calls. */
  rest(): string {
    return this.#showTo(this.#text.length);
  }

  /** What is left of the text beside the calls. */
  restOf(text: string): string {
    return text.slice(this.#text.slice(0, this.#shown).trim().length);
  }

  #showTo(end: number): string {
    const begin = this.#shown;
    this.#shown = Math.max(begin, end);
    return this.#text.slice(begin, end);
  }
}

/** How much of a text is no call, whatever follows. An answer that is JSON is a call as a whole in some families. */
function certainLength(text: string): number {
  if (/^\s*(?:$|[[{])/.test(text)) {
    return 0;
  }
  const begins = marks.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
  const end = Math.min(text.length, ...begins, ...marks.map((mark) => begunAt(text, mark)));
  return text.slice(0, end).trimEnd().length;
}
