// What is read of a page.

export interface TextBlock {
  readonly text: string;
  /** What its words count: 1, or what `data-ambry-weight` states. */
  readonly weight: number;
  /** What the block describes, by its id: `os.popen`. */
  readonly symbol?: string;
}

export interface PageSection {
  /** The id by which a link leads to the heading; empty if there is none. */
  readonly anchor: string;
  readonly heading: string;
  readonly blocks: readonly TextBlock[];
}

export interface PageContent {
  readonly title: string;
  readonly description: string;
  /** The tag of the page's language; empty if it states none. */
  readonly language: string;
  /** The address that the page states as its own. */
  readonly canonical: string;
  /** Whether the page asks not to be found. */
  readonly isHidden: boolean;
  /** Whether it only leads to another page. */
  readonly isRedirect: boolean;
  readonly sections: readonly PageSection[];
  /** The values of each filter, sorted. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

/** The text of a section, as a text file has it. */
export function sectionText({ blocks }: PageSection): string {
  return blocks.map(({ text }) => text).join('\n');
}
