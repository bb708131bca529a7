// What every reader makes of a document: sections of blocks, which `pack.ts` makes passages of.

/** From `at` on, in UTF-16 code units, a text comes from this position. */
export interface Mark {
  readonly at: number;
  readonly position: number;
}

export interface Block {
  readonly text: string;
  /** Where it begins: a line, a record or a page, from 1. */
  readonly position: number;
  /** Prose, and an item on a line of its own, are cut between sentences where they are too long; lines,
   *  as of code and tables, between lines. */
  readonly kind: 'prose' | 'item' | 'lines';
  readonly marks?: readonly Mark[];
}

export interface Section {
  /** The headings over it, outermost first, joined by ` › `; empty where there are none. */
  readonly heading: string;
  readonly blocks: readonly Block[];
  /** Where the section is a record: what all its passages have. */
  readonly record?: RecordFacts;
  /** Whether positions are pages. */
  readonly isPaged?: boolean;
}

export interface RecordFacts {
  readonly id: string | number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A text that comes in parts. White space becomes single spaces, and the lines are remembered. */
export class RunningText {
  #parts: string[] = [];
  #length = 0;
  #spaced = true;
  #marks: Mark[] = [];

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** `position` is the line at which `text` begins; its own line breaks are counted from there. */
  append(text: string, position: number): void {
    text.split(/\r\n|[\r\n]/).forEach((line, i) => {
      if (i > 0) this.space();
      const tidy = line.replace(/\s+/g, ' ');
      if (tidy.startsWith(' ')) this.space();
      const body = tidy.startsWith(' ') ? tidy.slice(1) : tidy;
      if (body !== '') this.#push(body, position + i);
    });
  }

  space(): void {
    if (this.#spaced) return;
    this.#parts.push(' ');
    this.#length++;
    this.#spaced = true;
  }

  /** Everything until now as a block, and begins anew. */
  take(kind: Block['kind']): Block {
    const text = this.#parts.join('').trimEnd();
    const marks = this.#marks;
    this.#parts = [];
    this.#length = 0;
    this.#spaced = true;
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
    this.#spaced = body.endsWith(' ');
  }
}

/** Headings and blocks as they come, made into sections. */
export class Outline {
  readonly #sections: Section[] = [];
  readonly #path: (string | undefined)[] = [];
  #blocks: Block[] = [];
  /** The last heading, as long as there is nothing under it. */
  #bare: { readonly level: number; readonly block: Block } | undefined;

  /** What stands over everything that has no first heading of its own. */
  title(text: string): void {
    if (text !== '') this.#path[0] = text;
  }

  heading(level: number, { text, position }: Block): void {
    if (text === '') return;
    this.#close(level);
    this.#path.length = level - 1;
    this.#path[level - 1] = text;
    this.#bare = { level, block: { text, position, kind: 'prose' } };
  }

  add(block: Block): void {
    if (block.text.trim() === '') return;
    this.#bare = undefined;
    this.#blocks.push(block);
  }

  end(): Section[] {
    this.#close(1);
    return this.#sections;
  }

  /** Before a heading of this level. One with nothing under it, not even headings, is a text by itself. */
  #close(level: number): void {
    if (this.#blocks.length > 0) {
      this.#sections.push({ heading: headingOf(this.#path), blocks: this.#blocks });
    } else if (this.#bare && level <= this.#bare.level) {
      const above = this.#path.slice(0, this.#bare.level - 1);
      this.#sections.push({ heading: headingOf(above), blocks: [this.#bare.block] });
    }
    this.#blocks = [];
    this.#bare = undefined;
  }
}

function headingOf(path: readonly (string | undefined)[]): string {
  return path.filter(Boolean).join(' › ');
}
