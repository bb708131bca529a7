// Shows the contribution of each word piece of a passage to its similarity with the question.

import { AmbryError, type ExplainedPiece } from 'ambry';
import { formatScore } from '../../shared/base/format.ts';
import { element } from '../../shared/dom/dom.ts';
import type { Embedder } from '../state/state.ts';

/** The text below the passage names at most this many pieces, for people who do not see the shades. It names no piece
 *  whose contribution is below this share of the largest one. */
const maxListed = 5;
const minShare = 0.1;

const signed = (score: number): string =>
  score > 0 ? `+${formatScore(score)}` : formatScore(score);

/** Special tokens, such as [CLS], are not in the text. */
const isInText = ({ start, end }: ExplainedPiece): boolean => end > start;

const largestOf = (pieces: readonly ExplainedPiece[]): number =>
  Math.max(...pieces.map(({ score }) => Math.abs(score)), Number.MIN_VALUE);

/** The text with each piece shaded by its contribution, relative to the largest one. */
function shadedText(text: string, pieces: readonly ExplainedPiece[]): HTMLElement {
  const max = largestOf(pieces);
  const shaded = element('p', 'pieces');
  let at = 0;
  for (const { start, end, score } of pieces) {
    const piece = element('span', score < 0 ? 'piece negative' : 'piece', text.slice(start, end));
    piece.style.setProperty('--share', (Math.abs(score) / max).toFixed(3));
    piece.title = signed(score);
    shaded.append(text.slice(at, start), piece);
    at = end;
  }
  shaded.append(text.slice(at));
  return shaded;
}

function listOf(text: string, pieces: readonly ExplainedPiece[]): string {
  return pieces
    .slice(0, maxListed)
    .map(({ start, end, score }) => `“${text.slice(start, end)}” ${signed(score)}`)
    .join(', ');
}

function sentencesOf(text: string, pieces: readonly ExplainedPiece[], score: number): string {
  const inText = pieces.filter(isInText);
  const min = minShare * largestOf(inText);
  const sorted = inText
    .filter((piece) => Math.abs(piece.score) >= min)
    .sort((a, b) => b.score - a.score);
  const positive = sorted.filter((piece) => piece.score > 0);
  const negative = sorted.filter((piece) => piece.score < 0).reverse();
  const sentences = [
    ...(positive.length > 0 ? [`Largest positive contributions: ${listOf(text, positive)}.`] : []),
    ...(negative.length > 0 ? [`Largest negative contributions: ${listOf(text, negative)}.`] : []),
  ];
  const special = pieces
    .filter((piece) => !isInText(piece))
    .reduce((sum, piece) => sum + piece.score, 0);
  if (special !== 0) {
    sentences.push(`Special tokens contribute ${signed(special)}.`);
  }
  sentences.push(`The sum of all contributions is the cosine similarity, ${formatScore(score)}.`);
  return sentences.join(' ');
}

export async function explanationOf(
  model: Embedder,
  query: string,
  text: string,
): Promise<readonly HTMLElement[]> {
  if (model.kind !== 'encoder') {
    throw new AmbryError('Unsupported', 'Only a sentence encoder can explain its results.');
  }
  const { score, pieces } = await model.explain(query, text);
  return [
    shadedText(text, pieces.filter(isInText)),
    element('p', 'note', sentencesOf(text, pieces, score)),
  ];
}
