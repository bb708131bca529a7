// One sentence about how much quantization changes the outputs of a model.

import type { OutputAgreement } from 'ambry';
import { formatAmount, formatCount } from '../shared/base/format.ts';

export function agreementLine(agreement: OutputAgreement): string {
  switch (agreement.kind) {
    case 'embeddings': {
      const { texts, meanCosine, leastCosine } = agreement;
      return (
        `Cosine of the embeddings of ${formatAmount(texts, 'text')} before and after: ` +
        `mean ${meanCosine.toFixed(5)}, minimum ${leastCosine.toFixed(5)}.`
      );
    }
    case 'tokens': {
      const { texts, tokens, sameToken, perplexity } = agreement;
      const [before, after] = perplexity.map((value) => value.toPrecision(4));
      return (
        `On ${formatAmount(texts, 'text')}, the next token is the same after ${formatCount(sameToken)} ` +
        `of ${formatAmount(tokens, 'token')}. Perplexity: ${before} before, ${after} after.`
      );
    }
    case 'answers': {
      const { inputs, sameAnswer, largestDifference } = agreement;
      return (
        `The answer is the same for ${formatCount(sameAnswer)} of ${formatAmount(inputs, 'picture')}. ` +
        `Scores differ by at most ${largestDifference.toPrecision(2)}.`
      );
    }
  }
}
