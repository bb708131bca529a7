// Groups the blocks of a document into sections by the headings above them.
import type { Block, Section } from './section.ts';

/** Takes headings and blocks in the order of the document. */
export class SectionBuilder {
  readonly #sections: Section[] = [];
  readonly #path: (string | undefined)[] = [];
  #blocks: Block[] = [];
  /** The last heading, until a block or another heading follows it. */
  #lastHeading: { readonly level: number; readonly block: Block } | undefined;

  /** Sets the heading of everything before the first heading of level 1. */
  setTitle(text: string): void {
    if (text !== '') this.#path[0] = text;
  }

  addHeading(level: number, { text, position }: Block): void {
    if (text === '') return;
    this.#closeSection(level);
    this.#path.length = level - 1;
    this.#path[level - 1] = text;
    this.#lastHeading = { level, block: { text, position, kind: 'prose' } };
  }

  addBlock(block: Block): void {
    if (block.text.trim() === '') return;
    this.#lastHeading = undefined;
    this.#blocks.push(block);
  }

  finish(): Section[] {
    this.#closeSection(1);
    return this.#sections;
  }

  /** Ends the section before a heading of this level. A heading with no blocks and no headings under it becomes
   *  a section of its own. */
  #closeSection(level: number): void {
    if (this.#blocks.length > 0) {
      this.#sections.push({ heading: joinHeadings(this.#path), blocks: this.#blocks });
    } else if (this.#lastHeading && level <= this.#lastHeading.level) {
      const above = this.#path.slice(0, this.#lastHeading.level - 1);
      this.#sections.push({ heading: joinHeadings(above), blocks: [this.#lastHeading.block] });
    }
    this.#blocks = [];
    this.#lastHeading = undefined;
  }
}

function joinHeadings(path: readonly (string | undefined)[]): string {
  return path.filter(Boolean).join(' › ');
}
