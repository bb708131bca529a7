// Collects the text of a page as blocks, and its headings, with the regions in which they are. Which region is the content
// of the page is known only at its end.
import { withoutUnseen } from '../../shared/unseen.ts';
import { regions } from './elements.ts';
import type { PageSection, TextBlock } from './page-content.ts';
import { shortened } from './page-facts.ts';

interface Block extends TextBlock {
  readonly region: number;
  /** Set for headings. */
  readonly anchor?: string;
}

/** The id of an empty heading's wrapper and similar signs for a link to the heading itself. */
const permalink = /[\s#¶§🔗\u200b\ufeff]+$/u;
/** `os.popen`, `std::vec::push_back`, and the last piece of it. */
const symbol = /^(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::))*([\p{L}_$][\p{L}\p{N}_$]*)$/u;
/** The id of a heading, where a generator does not know the form. */
const statedId = /\s*\{:?\s*#[^{}]*\}\s*$/;

export class PageText {
  readonly #blocks: Block[] = [];
  #parts: string[] = [];
  #isPre = false;
  #region: number = regions.body;
  #weight = 1;
  #symbol: string | undefined;

  /** Where the next text is. A change ends the block. */
  place(region: number, weight: number, isPre: boolean): void {
    if (region !== this.#region || weight !== this.#weight || isPre !== this.#isPre) {
      this.endBlock();
    }
    this.#region = region;
    this.#weight = weight;
    this.#isPre = isPre;
  }

  add(text: string): void {
    this.#parts.push(text);
  }

  /** Whether a word of letters ends here. What follows above the line is then the number of a footnote, and no power. */
  endsInWord(): boolean {
    return /\p{L}{3}$/u.test(this.#parts.at(-1) ?? '');
  }

  /** The id of the block that ends next, if the block shows it as the name of something in a program. */
  name(id: string): void {
    const last = symbol.exec(id)?.[1];
    const isShown = last !== undefined && this.#parts.join('').includes(last);
    this.#symbol = isShown ? id : undefined;
  }

  /** Ends a paragraph. */
  endBlock(): void {
    const named = this.#symbol === undefined ? {} : { symbol: this.#symbol };
    this.#symbol = undefined;
    const text = this.#taken();
    if (text !== '' && this.#region > 0) {
      this.#blocks.push({ text, region: this.#region, weight: this.#weight, ...named });
    }
  }

  /** Ends a heading. */
  endHeading(anchor: string): void {
    const text = shortened(this.#taken().replace(permalink, '').replace(statedId, ''));
    if (this.#region === 0) {
      return;
    }
    this.#blocks.push({ text, region: this.#region, weight: this.#weight, anchor });
  }

  /** The sections of the region that is the content of the page. */
  sections(): PageSection[] {
    const filled = this.#blocks.reduce((all, { region, text }) => (text ? all | region : all), 0);
    const content = Object.values(regions).reduce((best, one) => (filled & one ? one : best), 0);
    const sections: (PageSection & { readonly blocks: TextBlock[] })[] = [];
    let section = { anchor: '', heading: '', blocks: [] as TextBlock[] };
    for (const { region, anchor, ...block } of this.#blocks) {
      if (!(region & content)) {
        continue;
      }
      if (anchor === undefined) {
        section.blocks.push(block);
        continue;
      }
      if (section.heading || section.blocks.length > 0) {
        sections.push(section);
      }
      section = { anchor, heading: block.text, blocks: [] };
    }
    if (section.heading || section.blocks.length > 0) {
      sections.push(section);
    }
    return sections;
  }

  #taken(): string {
    const text = withoutUnseen(this.#parts.join(''));
    this.#parts = [];
    if (!this.#isPre) {
      return text.replace(/\s+/g, ' ').trim();
    }
    return text.replace(/\r\n?/g, '\n').replace(/^\s*\n|\s+$/g, '');
  }
}
