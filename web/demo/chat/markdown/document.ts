// A Markdown text as plain data. The worker makes it, and the page makes elements of it.

export type Inline =
  | string
  | { readonly kind: 'strong' | 'em' | 'del'; readonly inside: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  /** The address is checked when the link is shown. */
  | { readonly kind: 'link'; readonly href: string; readonly inside: readonly Inline[] };

export interface ListItem {
  /** Whether a task is done; null for other items. */
  readonly checked: boolean | null;
  readonly blocks: readonly Block[];
}

type Alignment = 'left' | 'center' | 'right' | null;

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list';
      /** The first number; null for a list without numbers. */
      readonly start: number | null;
      readonly items: readonly ListItem[];
    }
  | {
      readonly kind: 'table';
      readonly alignments: readonly Alignment[];
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: 'rule' };

/** Longer texts are shown as they are: UTF-16 code units. */
export const maxUnits = 100_000;
/** Deeper lists, quotes and emphasis are shown as they are written. */
export const maxDepth = 16;
/** A text of more elements is shown as it is. */
export const maxNodes = 20_000;

/** What the page asks the worker. */
export interface MarkdownRequest {
  readonly text: string;
}

/** `blocks` is null for a text that has too many elements. */
export interface MarkdownReply {
  readonly blocks: readonly Block[] | null;
}
