// What quantising does to what the model says, in a sentence.

import type { OutputAgreement } from 'ambry';
import { formatAmount, formatCount } from '../shared/format.ts';

export function agreementLine(agreement: OutputAgreement): string {
  switch (agreement.kind) {
    case 'embeddings': {
      const { texts, meanCosine, leastCosine } = agreement;
      return (
        `Embeddings of ${formatAmount(texts, 'text')} before and after: ` +
        `cosine ${meanCosine.toFixed(5)} on average, ${leastCosine.toFixed(5)} at least.`
      );
    }
    case 'tokens': {
      const { texts, tokens, sameToken, perplexity } = agreement;
      const [before, after] = perplexity.map((value) => value.toPrecision(4));
      return (
        `Over ${formatAmount(texts, 'text')}, the same next token after ${formatCount(sameToken)} ` +
        `of ${formatCount(tokens)}; perplexity ${before} before, ${after} after.`
      );
    }
    case 'answers': {
      const { inputs, sameAnswer, largestDifference } = agreement;
      return (
        `Over ${formatAmount(inputs, 'picture')}, the same answer to ${formatCount(sameAnswer)}; ` +
        `scores differ by ${largestDifference.toPrecision(2)} at most.`
      );
    }
  }
}
