// Hits as people read them, as JSON, and as Markdown.
import type { ExplainedPiece, SearchHit } from '../../types.ts';

/** A hit, with what its word pieces add where that was asked. */
export interface Found {
  readonly hit: SearchHit;
  readonly pieces?: readonly ExplainedPiece[];
}

/** Of word pieces that people are told of. */
const kMostPieces = 8;

export function foundAsJson({ hit, pieces }: Found): Readonly<Record<string, unknown>> {
  const { id, score, cosine, terms, text, doc } = hit;
  const { source, page } = doc;
  return {
    id,
    score,
    text,
    ...(source !== undefined && { source }),
    ...(page !== undefined && { page }),
    cosine,
    ...(terms && { terms }),
    ...(pieces && { pieces }),
  };
}

export function foundAsLines({ hit, pieces }: Found): string[] {
  const { id, score, terms, text } = hit;
  const lines = [`${score.toFixed(4)}  ${id}`, `        ${text}`];
  if (terms && terms.length > 0) lines.push(`        words: ${terms.join(', ')}`);
  if (pieces) lines.push(`        pieces: ${strongest(pieces).join(', ')}`);
  return lines;
}

/** A list that can be put into notes: where each passage is from, how near it is, and the passage quoted. */
export function foundAsMarkdown(query: string, found: readonly Found[]): string[] {
  const lines = [`## ${escaped(query)}`];
  found.forEach(({ hit, pieces }, i) => {
    const { id, score, text, doc } = hit;
    const { source, page } = doc;
    const onPage = page === undefined ? '' : `, page ${page}`;
    const place = typeof source === 'string' ? `${source}${onPage}` : String(id);
    // A list item goes on where its own text begins.
    const indent = ' '.repeat(`${i + 1}. `.length);
    lines.push('', `${i + 1}. **${escaped(place)}** (${score.toFixed(4)})`, '');
    for (const line of text.split(/\r?\n/)) lines.push(`${indent}> ${escaped(line)}`.trimEnd());
    if (pieces) lines.push('', `${indent}${escaped(strongest(pieces).join(', '))}`);
  });
  return lines;
}

/** The pieces that add or take away most: `sleep +0.12`. */
function strongest(pieces: readonly ExplainedPiece[]): string[] {
  return pieces
    .toSorted((a, b) => Math.abs(b.score) - Math.abs(a.score))
    .slice(0, kMostPieces)
    .map(({ token, score }) => `${token} ${score < 0 ? '−' : '+'}${Math.abs(score).toFixed(3)}`);
}

/** So that no character of a text is taken for Markdown or HTML. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>&#|~]/g, '\\$&').replace(/^(\s*\d*)([-+=.)])/, '$1\\$2');
}
