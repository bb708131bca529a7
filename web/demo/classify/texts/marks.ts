// Cuts a text into its names and what is between them. Works without a page.

import type { TextEntity } from 'ambry';

/** The label without the mark of its place: `B-PER` of tokens becomes `PER`. */
export const plainLabel = (label: string): string => label.replace(/^[BILESU]-(?=.)/, '');

/** The kinds of names that a model finds, in order of the alphabet. */
export const kindsOf = (labels: readonly string[]): readonly string[] =>
  [...new Set(labels.map(plainLabel))].filter((kind) => kind !== 'O').sort();

/** A part of the text; with the name that it is, if it is one. */
export interface TextPiece {
  readonly text: string;
  readonly entity?: TextEntity;
}

/** Names that begin inside another one are left out. */
export function piecesOf(text: string, entities: readonly TextEntity[]): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const entity of entities.toSorted((a, b) => a.start - b.start)) {
    const { start, end } = entity;
    if (start < at || end <= start) {
      continue;
    }
    if (start > at) {
      pieces.push({ text: text.slice(at, start) });
    }
    pieces.push({ text: text.slice(start, end), entity });
    at = end;
  }
  return at < text.length ? [...pieces, { text: text.slice(at) }] : pieces;
}
