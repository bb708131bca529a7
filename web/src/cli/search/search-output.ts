// Formats search results as text, JSON or Markdown.
import type { ExplainedPiece, SearchHit } from '../../entries/types.ts';

export interface SearchResult {
  readonly hit: SearchHit;
  /** With `--explain`, what each word piece adds to the score. */
  readonly pieces?: readonly ExplainedPiece[];
}

const maxPieces = 8;

export function hitJson({ hit, pieces }: SearchResult): Readonly<Record<string, unknown>> {
  const { id, score, cosine, sparse, terms, retrievalScore, text, doc } = hit;
  const { source, page } = doc;
  return {
    id,
    score,
    text,
    ...(source !== undefined && { source }),
    ...(page !== undefined && { page }),
    cosine,
    ...(sparse !== undefined && { sparse }),
    ...(terms && { terms }),
    ...(retrievalScore !== undefined && { retrievalScore }),
    ...(pieces && { pieces }),
  };
}

export function hitLines({ hit, pieces }: SearchResult): string[] {
  const { id, score, terms, text } = hit;
  const passage = text.split(/\r?\n/).map((line) => `        ${line}`);
  const lines = [`${score.toFixed(4)}  ${id}`, ...passage];
  if (terms && terms.length > 0) {
    lines.push(`        words: ${terms.join(', ')}`);
  }
  if (pieces) {
    lines.push(`        pieces: ${strongestPieces(pieces).join(', ')}`);
  }
  return lines;
}

/** A numbered list for notes. Each item has the source, the score and the quoted passage. */
export function hitsMarkdown(query: string, results: readonly SearchResult[]): string[] {
  const lines = [`## ${escaped(query)}`];
  results.forEach(({ hit, pieces }, i) => {
    const { id, score, text, doc } = hit;
    const { source, page } = doc;
    const onPage = page === undefined ? '' : `, page ${page}`;
    const place = typeof source === 'string' ? `${source}${onPage}` : String(id);
    // The lines of a list item are indented as far as its text.
    const indent = ' '.repeat(`${i + 1}. `.length);
    lines.push('', `${i + 1}. **${escaped(place)}** (${score.toFixed(4)})`, '');
    for (const line of text.split(/\r?\n/)) {
      lines.push(`${indent}> ${escaped(line)}`.trimEnd());
    }
    if (pieces) {
      lines.push('', `${indent}${escaped(strongestPieces(pieces).join(', '))}`);
    }
  });
  return lines;
}

/** The pieces with the largest contributions, positive or negative: `sleep +0.120`. */
function strongestPieces(pieces: readonly ExplainedPiece[]): string[] {
  return pieces
    .toSorted((a, b) => Math.abs(b.score) - Math.abs(a.score))
    .slice(0, maxPieces)
    .map(({ token, score }) => `${token} ${score < 0 ? '−' : '+'}${Math.abs(score).toFixed(3)}`);
}

/** Escapes the characters that have a meaning in Markdown or HTML. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>&#|~]/g, '\\$&').replace(/^(\s*\d*)([-+=.)])/, '$1\\$2');
}
