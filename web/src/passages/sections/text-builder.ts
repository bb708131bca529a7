// Builds a block of running text from parts.

import type { Block, PositionMarks } from './section.ts';
import { shortBlocks } from './short-blocks.ts';

/** What leaves the text of a part as it is: no white space but single spaces between words. */
const tidyText = /^\S+(?: \S+)*$/;
/** What becomes a single space. Single spaces stay, because each replacement takes memory. */
const untidySpace = /\s{2,}|[^\S ]/g;
/** Longer parts are tidied without a look at them first. */
const maxTidyUnits = 4096;
const lineEnd = /\r\n|[\r\n]/g;

/** Joins parts of a text. Any white space becomes a single space, and the line of each part is remembered. */
export class TextBuilder {
  #text = '';
  #endsInSpace = true;
  #marks = noMarks();
  #position = 0;

  get isEmpty(): boolean {
    return this.#text === '';
  }

  /** The length in code units. */
  get length(): number {
    return this.#text.length;
  }

  /** `text` begins on the line `position`. Its own line breaks are counted from there. */
  append(text: string, position: number): void {
    let line = position;
    let at = 0;
    if (text.includes('\n') || text.includes('\r')) {
      lineEnd.lastIndex = 0;
      for (let end = lineEnd.exec(text); end; end = lineEnd.exec(text)) {
        this.#appendLine(text.slice(at, end.index), line++);
        this.addSpace();
        at = end.index + end[0].length;
      }
    }
    this.#appendLine(text.slice(at), line);
  }

  addSpace(): void {
    if (this.#endsInSpace) {
      return;
    }
    this.#text += ' ';
    this.#endsInSpace = true;
  }

  /** Returns the text so far as a block and clears it. */
  takeBlock(kind: Block['kind']): Block {
    return this.#take(kind, true);
  }

  /** Returns pieces of `most` code units each, as the packing of passages would cut them, and keeps the rest. */
  takePieces(kind: Block['kind'], most: number): Block[] {
    const pieces = [...shortBlocks(this.#take(kind, false), most)];
    const rest = pieces.pop();
    if (rest) {
      this.#text = rest.text;
      this.#endsInSpace = rest.text.endsWith(' ');
      this.#marks = rest.marks ?? { ats: [0], positions: [rest.position] };
      this.#position = this.#marks.positions.at(-1) ?? 0;
    }
    return pieces;
  }

  #take(kind: Block['kind'], isTrimmed: boolean): Block {
    const text = isTrimmed ? this.#text.trimEnd() : this.#text;
    const marks = this.#marks;
    this.#text = '';
    this.#endsInSpace = true;
    this.#marks = noMarks();
    this.#position = 0;
    const position = marks.positions[0] ?? 1;
    return marks.ats.length > 1 ? { text, position, kind, marks } : { text, position, kind };
  }

  #appendLine(line: string, position: number): void {
    if (line === '') {
      return;
    }
    const isTidy = line.length <= maxTidyUnits && tidyText.test(line);
    const tidy = isTidy ? line : line.replace(untidySpace, ' ');
    const hasSpace = tidy.startsWith(' ');
    if (hasSpace) {
      this.addSpace();
    }
    const body = hasSpace ? tidy.slice(1) : tidy;
    if (body !== '') {
      this.#push(body, position);
    }
  }

  #push(body: string, position: number): void {
    if (this.#position !== position) {
      this.#marks.ats.push(this.#text.length);
      this.#marks.positions.push(position);
      this.#position = position;
    }
    this.#text += body;
    this.#endsInSpace = body.endsWith(' ');
  }
}

function noMarks(): PositionMarks {
  return { ats: [], positions: [] };
}
