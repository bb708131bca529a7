// Turns a score into a word that people understand. Models differ: with one, 0.3 is a good answer, with another 0.6 is chance.
// So a score is compared to the best scores that questions without an answer reach in the same index (probes.ts).
// Works without a page.

/** How near a passage is to the question. */
export type Closeness = 'very close' | 'close' | 'weak' | 'not close';

/** The scores at which each word begins. */
export interface ClosenessScale {
  /** What a question without an answer reaches usually. */
  readonly chance: number;
  readonly weak: number;
  readonly close: number;
  readonly veryClose: number;
}

/** In deviations of the probes above their mean. `tests/web/demo/search/results/closeness.test.ts` shows that right answers and
 *  nonsense are told apart with three kinds of models. */
const weakFrom = 2.4;
const closeFrom = 2.4;
/** Behind the best passage, one without a word of the question is close only if its score is nearly as high. */
const nearBest = 0.5;
const veryCloseFrom = 5;
/** All probes have nearly the same score where there are few passages. */
const minDeviation = 0.02;
/** Few probes meet a topic of the documents by chance. The best of them say nothing about chance. */
const kept = 0.9;

/** `scores` are the best scores of the probes. */
export function scaleOf(scores: readonly number[]): ClosenessScale {
  const known = scores.filter((score) => score !== 0);
  const low = (known.length > 0 ? known : [0])
    .sort((a, b) => a - b)
    .slice(0, Math.ceil(kept * Math.max(1, known.length)));
  const mean = low.reduce((sum, score) => sum + score, 0) / low.length;
  const variance = low.reduce((sum, score) => sum + (score - mean) ** 2, 0) / low.length;
  // No score is above 1.
  const most = Math.max(0, 1 - mean) / veryCloseFrom;
  const deviation = Math.min(most, Math.max(minDeviation, Math.sqrt(variance)));
  const close = mean + closeFrom * deviation;
  return {
    chance: mean,
    weak: mean + weakFrom * deviation,
    close,
    // A text is very close to itself with every model.
    veryClose: Math.min(mean + veryCloseFrom * deviation, (1 + close) / 2),
  };
}

/** What all words of a question count in a passage, in deviations. */
const ofWords = 6;

/** `share` is the part of the question's words that the passage has, and `best` the best score of the answer. */
export function closenessOf(
  score: number,
  scale: ClosenessScale,
  share: number,
  best = score,
): Closeness {
  const { chance, weak, close, veryClose } = scale;
  if (score >= veryClose) {
    return 'very close';
  }
  const deviation = (weak - chance) / weakFrom;
  if (score >= close && (share > 0 || score >= best - nearBest * deviation)) {
    return 'close';
  }
  return score + ofWords * share * deviation >= weak ? 'weak' : 'not close';
}

/** The length of a bar, from 0 for chance to 1 for very close. */
export function shareOf(score: number, { chance, veryClose }: ClosenessScale): number {
  return score >= veryClose ? 1 : Math.max(0, (score - chance) / (veryClose - chance));
}
