// Groups the blocks of a document into sections by the headings above them.
import type { Block, Section } from './section.ts';
import { seenBlock, withoutUnseen } from './unseen-signs.ts';

/** Sections are handed out when they have so many code units, and a longer section comes in parts. */
const maxUnits = 1 << 18;
/** A short block takes memory too. It counts as so many code units. */
const unitsOfBlock = 32;
/** A longer heading is a paragraph. It would be repeated in every passage below it. */
const maxHeadingUnits = 2048;

/** Takes headings and blocks in the order of the document. */
export class SectionBuilder {
  /** Set where all that comes next has one position, such as a cell of a notebook. */
  position: number | undefined;
  #sections: Section[] = [];
  readonly #path: (string | undefined)[] = [];
  #blocks: Block[] = [];
  #units = 0;
  /** The title, until it was used. */
  #title: string | undefined;
  /** The last heading, until a block or another heading follows it. */
  #lastHeading: { readonly level: number; readonly block: Block } | undefined;
  /** The last section, if it has headings without text below them. */
  #bareHeadings: { readonly heading: string; readonly blocks: Block[] } | undefined;
  /** The heading of the part before, if the section has one. */
  #partHeading: string | undefined;

  /** Sets the heading of everything before the first heading of level 1. A title that `isText` is not lost if that heading is
   *  another one and comes at once. */
  setTitle(title: string, { isText = false } = {}): void {
    const text = withoutUnseen(title).trim();
    if (text !== '' && text.length <= maxHeadingUnits) {
      this.#path[0] = text;
      this.#title = isText ? text : undefined;
    }
  }

  addHeading(level: number, heading: Block): void {
    const text = withoutUnseen(heading.text).trim();
    const position = this.position ?? heading.position;
    if (text === '') {
      return;
    }
    const block: Block = { text, position, kind: 'prose' };
    if (text.length > maxHeadingUnits) {
      this.addBlock(block);
      return;
    }
    this.#keepTitle(text);
    this.#closeSection(level);
    this.#path.length = level - 1;
    this.#path[level - 1] = text;
    this.#lastHeading = { level, block };
    this.#units += text.length;
  }

  /** What comes next stands under no heading. */
  endHeading(): void {
    this.#closeSection(1);
    this.#path.length = 0;
  }

  addBlock(given: Block): void {
    const block = this.#placed(seenBlock(given));
    if (block.text.trim() === '') {
      return;
    }
    this.#lastHeading = undefined;
    this.#title = undefined;
    this.#blocks.push(block);
    this.#units += block.text.length + unitsOfBlock;
  }

  #placed(block: Block): Block {
    const { position } = this;
    if (position === undefined) {
      return block;
    }
    const { text, kind } = block;
    return { text, kind, position, marks: { ats: [0], positions: [position] } };
  }

  get isFull(): boolean {
    return this.#units >= maxUnits;
  }

  /** Returns what there is so far. The section that is open goes on in a later part. */
  take(): Section[] {
    if (this.#blocks.length > 0) {
      this.#closePart();
    }
    const sections = this.#sections;
    this.#sections = [];
    this.#bareHeadings = undefined;
    this.#units = 0;
    return sections;
  }

  finish(): Section[] {
    this.#closeSection(1);
    return this.take();
  }

  /** A title that no text stands under becomes a section of its own, if the first heading does not repeat it. */
  #keepTitle(heading: string): void {
    const title = this.#title;
    this.#title = undefined;
    if (title !== undefined && plainForm(title) !== plainForm(heading)) {
      this.#sections.push({ heading: '', blocks: [{ text: title, position: 1, kind: 'prose' }] });
      this.#units += title.length + unitsOfBlock;
    }
  }

  /** Ends the section before a heading of this level. A heading with no blocks and no headings under it becomes text below
   *  the headings above it. */
  #closeSection(level: number): void {
    if (this.#blocks.length > 0) {
      this.#closePart();
    } else if (this.#lastHeading && level <= this.#lastHeading.level) {
      this.#addBareHeading(this.#lastHeading.level, this.#lastHeading.block);
    }
    this.#lastHeading = undefined;
    this.#partHeading = undefined;
  }

  /** A page may have thousands of headings without text, such as a list of terms. They are lines of few passages, which do not
   *  take the places of those of other pages. */
  #addBareHeading(level: number, block: Block): void {
    const heading = joinHeadings(this.#path.slice(0, level - 1));
    this.#units += unitsOfBlock;
    if (this.#bareHeadings?.heading === heading) {
      this.#bareHeadings.blocks.push({ ...block, kind: 'item' });
      return;
    }
    this.#bareHeadings = { heading, blocks: [block] };
    this.#sections.push(this.#bareHeadings);
  }

  #closePart(): void {
    this.#bareHeadings = undefined;
    const heading = joinHeadings(this.#path);
    const isContinued = heading === this.#partHeading;
    this.#sections.push({ heading, blocks: this.#blocks, ...(isContinued && { isContinued }) });
    this.#blocks = [];
    this.#partHeading = heading;
  }
}

function plainForm(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function joinHeadings(path: readonly (string | undefined)[]): string {
  return path.filter(Boolean).join(' › ');
}
