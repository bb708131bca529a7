// On request: what each word piece of a passage adds to its similarity with the question.

import type { ExplainedPiece, Model } from 'ambry';
import { element } from '../../shared/dom.ts';
import { formatScore } from '../../shared/format.ts';

/** Pieces that are named in words too, for those who do not see the shades: so many at most, and none that does
 *  less than this share of what the strongest one does. */
const kNamed = 5;
const kLeastShare = 0.1;

const signed = (score: number): string =>
  score > 0 ? `+${formatScore(score)}` : formatScore(score);

/** Those that stand for a part of the text; the others are the model's own. */
const isInText = ({ start, end }: ExplainedPiece): boolean => end > start;

const strongestOf = (pieces: readonly ExplainedPiece[]): number =>
  Math.max(...pieces.map(({ score }) => Math.abs(score)), Number.MIN_VALUE);

/** The text, each piece shaded by its share of what the strongest one does. */
function shadedText(text: string, pieces: readonly ExplainedPiece[]): HTMLElement {
  const most = strongestOf(pieces);
  const shaded = element('p', 'pieces');
  let at = 0;
  for (const { start, end, score } of pieces) {
    const piece = element('span', score < 0 ? 'piece against' : 'piece', text.slice(start, end));
    piece.style.setProperty('--share', (Math.abs(score) / most).toFixed(3));
    piece.title = signed(score);
    shaded.append(text.slice(at, start), piece);
    at = end;
  }
  shaded.append(text.slice(at));
  return shaded;
}

function listOf(text: string, pieces: readonly ExplainedPiece[]): string {
  return pieces
    .slice(0, kNamed)
    .map(({ start, end, score }) => `“${text.slice(start, end)}” ${signed(score)}`)
    .join(', ');
}

function sentencesOf(text: string, pieces: readonly ExplainedPiece[], score: number): string {
  const inText = pieces.filter(isInText);
  const least = kLeastShare * strongestOf(inText);
  const sorted = inText
    .filter((piece) => Math.abs(piece.score) >= least)
    .sort((a, b) => b.score - a.score);
  const adding = sorted.filter((piece) => piece.score > 0);
  const against = sorted.filter((piece) => piece.score < 0).reverse();
  const sentences = [
    ...(adding.length > 0 ? [`These add most: ${listOf(text, adding)}.`] : []),
    ...(against.length > 0 ? [`These take most away: ${listOf(text, against)}.`] : []),
  ];
  const own = pieces
    .filter((piece) => !isInText(piece))
    .reduce((sum, piece) => sum + piece.score, 0);
  const rest = own === 0 ? '' : `, with ${signed(own)} from the model’s own signs`;
  sentences.push(`All pieces sum to the cosine similarity, ${formatScore(score)}${rest}.`);
  return sentences.join(' ');
}

export async function explanationOf(
  model: Model,
  query: string,
  text: string,
): Promise<readonly HTMLElement[]> {
  const { score, pieces } = await model.explain(query, text);
  return [
    shadedText(text, pieces.filter(isInText)),
    element('p', 'note', sentencesOf(text, pieces, score)),
  ];
}
