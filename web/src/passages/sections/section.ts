// Every reader turns a document into sections of blocks. `packing/` turns these into passages.

/** The text from code unit `ats[i]` on comes from `positions[i]`. These are columns, because a text may have a line for each
 *  few letters. */
export interface PositionMarks {
  readonly ats: number[];
  readonly positions: number[];
}

export interface Block {
  readonly text: string;
  /** Where the block begins: a line, a record or a page. Counts from 1. */
  readonly position: number;
  /** A block that is too long is cut between sentences if it is `prose` or an `item` of a list, and between
   *  lines if it is `lines`, such as code or a table. Items and lines begin on a new line of the passage. */
  readonly kind: 'prose' | 'item' | 'lines';
  readonly marks?: PositionMarks;
}

export interface Section {
  /** The headings above the section, outermost first, joined by ` › `. Empty if there are none. */
  readonly heading: string;
  readonly blocks: readonly Block[];
  /** Set if the section is a record. All its passages get this id and these fields. */
  readonly record?: SectionRecord;
  /** True if positions are pages. */
  readonly isPaged?: boolean;
  /** True if this goes on with the section before. Long sections come in parts. */
  readonly isContinued?: boolean;
}

interface SectionRecord {
  readonly id: string | number;
  readonly fields: Readonly<Record<string, unknown>>;
}
