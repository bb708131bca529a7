// Zero-shot classification: for each candidate the model says how far a sentence about it follows from the text. As in
// the pipeline `zero-shot-classification` of Transformers. Pages fetch this file with the first such call.
import { AmbryError } from '../base/errors.ts';
import { bad } from '../classification-head/check-inputs.ts';
import { softmax } from '../classification-head/probabilities.ts';
import type { TextPair } from '../classification-head/types.ts';

/** What stands for the candidate. */
const place = '{}';

interface ZeroShot {
  readonly pairs: readonly TextPair[];
  /** The logits of the candidates and their probabilities. `logits` has a row of all labels for each candidate. */
  readonly judge: (logits: readonly (readonly number[])[]) => {
    readonly logits: readonly number[];
    readonly probabilities: readonly number[];
  };
}

export function zeroShot(
  labels: readonly string[],
  texts: readonly unknown[],
  candidates: readonly string[],
  hypothesis: string,
  multiLabel: boolean,
): ZeroShot {
  checkCandidates(candidates);
  if (!hypothesis.includes(place)) {
    throw bad(`The hypothesis must have ${place} where the candidate goes.`, 'options.hypothesis');
  }
  const sentences = candidates.map((candidate) => hypothesis.split(place).join(candidate));
  const entailment = entailmentOf(labels);
  return {
    pairs: texts.flatMap((text, i) => {
      if (typeof text === 'string') {
        return sentences.map((sentence): TextPair => [text, sentence]);
      }
      throw bad('With candidates, each text must be a string.', `texts[${i}]`);
    }),
    judge: (rows) => {
      const logits = rows.map((row) => row[entailment] as number);
      if (!multiLabel && rows.length > 1) {
        return { logits, probabilities: softmax(logits) };
      }
      const contradiction = entailment === 0 ? labels.length - 1 : 0;
      const against = rows.map((row, i) =>
        softmax([row[contradiction] as number, logits[i] as number]),
      );
      return { logits, probabilities: against.map(([, forIt = 0]) => forIt) };
    },
  };
}

function checkCandidates(candidates: readonly unknown[]): void {
  const path = 'options.candidates';
  if (!Array.isArray(candidates) || candidates.length === 0) {
    throw bad('The candidates must be a list of at least one label.', path);
  }
  candidates.forEach((candidate: unknown, i) => {
    if (typeof candidate !== 'string' || candidate === '') {
      throw bad('A candidate must be a text that is not empty.', `${path}[${i}]`);
    }
  });
}

function entailmentOf(labels: readonly string[]): number {
  const found = labels.findIndex((label) => label.toLowerCase().startsWith('entail'));
  if (found >= 0 && labels.length > 1) {
    return found;
  }
  const message = `Candidates need a model of natural language inference, with a label that begins with “entail” and another one. The labels of this model are: ${labels.join(', ')}.`;
  throw new AmbryError('Unsupported', message, { path: 'options.candidates' });
}
