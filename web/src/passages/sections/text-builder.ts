// Builds a block of running text from parts.
import type { Block, PositionMark } from './section.ts';

/** Joins parts of a text. Any white space becomes a single space, and the line of each part is remembered. */
export class TextBuilder {
  #parts: string[] = [];
  #length = 0;
  #endsInSpace = true;
  #marks: PositionMark[] = [];

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** `text` begins on the line `position`. Its own line breaks are counted from there. */
  append(text: string, position: number): void {
    text.split(/\r\n|[\r\n]/).forEach((line, i) => {
      if (i > 0) this.addSpace();
      const tidy = line.replace(/\s+/g, ' ');
      if (tidy.startsWith(' ')) this.addSpace();
      const body = tidy.startsWith(' ') ? tidy.slice(1) : tidy;
      if (body !== '') this.#push(body, position + i);
    });
  }

  addSpace(): void {
    if (this.#endsInSpace) return;
    this.#parts.push(' ');
    this.#length++;
    this.#endsInSpace = true;
  }

  /** Returns the text so far as a block and clears it. */
  takeBlock(kind: Block['kind']): Block {
    const text = this.#parts.join('').trimEnd();
    const marks = this.#marks;
    this.#parts = [];
    this.#length = 0;
    this.#endsInSpace = true;
    this.#marks = [];
    const position = marks[0]?.position ?? 1;
    return { text, position, kind, ...(marks.length > 1 && { marks }) };
  }

  #push(body: string, position: number): void {
    if (this.#marks.at(-1)?.position !== position) {
      this.#marks.push({ at: this.#length, position });
    }
    this.#parts.push(body);
    this.#length += body.length;
    this.#endsInSpace = body.endsWith(' ');
  }
}
